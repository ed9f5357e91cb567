-- Rows of `make bench` that are commands: CPU time of evaluating the corpus in one run, and of lint
-- on a 16 x 16 archive.
local core = require "mapwright.core"
local run = require "run"

local function median(list)
	table.sort(list)
	return list[#list // 2 + 1]
end

local function cpu(times, fn)
	local out = {}
	for i = 1, times do
		local before = os.clock()
		fn()
		out[i] = os.clock() - before
	end
	return median(out)
end

local function row(name, size, seconds)
	print(("%-28s %-24s %8.3f s CPU  (%s 1 s)"):format(name, size, seconds,
		seconds < 1 and "under" or "ABOVE"))
end

local root = run.shared "corpus/mapinfo"
if root then
	local eval, sites = require "mapwright.mapinfo.eval", require "mapwright.mapinfo.site"
	row("mapinfo eval", "corpus, 90 files", cpu(5, function()
		for i = 1, 90 do eval.evaluate(sites.open(("%s/%03d.lua"):format(root, i))) end
	end))
else
	print "mapinfo eval: no corpus beside this checkout"
end

-- A 16 x 16 map of 65536 different tiles as .sd7 and .sdz.
local function big_map()
	local side, cells = 1024, 512 * 512
	local heights, index, tiles, rng = {}, {}, {}, core.base.rng(7, "bench")
	for z = 0, side do
		local line = {}
		for x = 0, side do line[x + 1] = ("<I2"):pack(20000 + (x * 37 + z * 11) % 9000) end
		heights[z + 1] = table.concat(line)
	end
	for i = 0, 65535 do index[i + 1] = ("<i4"):pack(i) end
	-- Pictures pack to about half: ends from a few colours, picks at random.
	local ends, blocks = {}, {}
	for i = 0, 255 do ends[i] = ("<I2I2"):pack(40000 + rng:below(9000), rng:below(30000)) end
	for i = 1, 65536 do
		for k = 1, 85 do
			local n = rng:below(1 << 40)
			blocks[k] = ends[n & 255] .. ("<I4"):pack(n >> 8)
		end
		tiles[i] = table.concat(blocks)
	end
	local smf = core.smf.from_level { mapx = side, mapy = side, min_height = 0, max_height = 400,
		heights = table.concat(heights), metal = ("\0\0\0\1"):rep(cells // 4),
		tile_files = { { name = "big.smt", count = 65536 } }, tile_index = table.concat(index) }
	return { { name = "maps/big.smf", bytes = smf:write(false, true) },
		{ name = "maps/big.smt", bytes = core.smt.write(table.concat(tiles)) },
		{ name = "mapinfo.lua", bytes = [[return { name = "Big", version = "1", mapfile = "maps/big.smf",
			modtype = 3, maxmetal = 1, extractorradius = 90,
			teams = { [0] = { startpos = { x = 2000, z = 2000 } },
				[1] = { startpos = { x = 6000, z = 6000 } } } }]] } }
end

local items, dir = big_map(), run.folder()
for _, kind in ipairs { "sd7", "sdz" } do
	local path = dir .. "/big." .. kind
	core.archive.write(path, kind, "fast", items)
	row("mapinfo lint", "16x16 ." .. kind .. ", 65536 tiles", cpu(3, function()
		require "mapwright.mapinfo.lint".path(path)
	end))
end
run.clean()
