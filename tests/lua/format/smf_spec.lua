local core = require "mapwright.core"
local format = require "mapwright.format"
local run = require "run"

-- A map of 128 x 128 squares as the core makes it, changed by `fields`.
local function map_bytes(fields)
	local level = {
		mapx = 128, mapy = 128, min_height = -100, max_height = 400,
		heights = ("\0\64"):rep(129 * 129), tile_index = ("\0\0\0\0"):rep(32 * 32),
		tile_files = { { name = "t.smt", count = 1 } },
	}
	for k, v in pairs(fields or {}) do level[k] = v end
	return core.smf.from_level(level):write(false, false)
end

local function file(name, bytes)
	local path = run.folder() .. "/" .. name
	run.write(path, bytes)
	return path
end

local function dump(path)
	local out = {}
	format.dump(path, function(text) out[#out + 1] = text end)
	return table.concat(out)
end

local function message(fn, ...)
	local ok, problem = pcall(fn, ...)
	assert.is_false(ok)
	return type(problem) == "table" and problem.message or tostring(problem)
end

describe("info of a map file", function()
	after_each(run.clean)

	it("tells sizes, counts and ranges", function()
		local info, findings = format.info(file("x.smf", map_bytes {
			heights = "\255\255" .. ("\0\0"):rep(129 * 129 - 1),
			metal = "\3\4" .. ("\0"):rep(64 * 64 - 2),
			grass = ("\2"):rep(32 * 32 - 1) .. "\200",
			tile_files = { { name = "a.smt", count = 2 }, { name = "b.smt", count = 3 } },
			tile_index = "\4\0\0\0" .. ("\0\0\0\0"):rep(32 * 32 - 1),
			features = { { name = "GeoVent", x = 512, z = 256, heading = 90 },
				{ name = "rock", x = 1, z = 1 }, { name = "rock", x = 2, z = 2 } },
		}))
		assert.same({}, findings)
		local want = {
			kind = "smf", mapx = 128, mapy = 128, min_height = -100, max_height = 400,
			lowest = -100, num_tiles = 5, num_tile_files = 2, tiles_used = 2,
			minimap_bytes = 699048, has_grass = true, grass_max = 200, num_feature_types = 2,
			num_features = 3, metal_cells = 2, metal_sum = 7, height_levels = 2,
			num_extra_headers = 1,
		}
		for k, v in pairs(want) do assert.equal(v, info[k], k) end
		assert.near(399.99237, info.highest, 1e-4)
		assert.same({ "a.smt", "b.smt" }, info.tile_files)
		assert.same({ 2, 3 }, info.tile_file_counts)
		assert.same({ "GeoVent", "rock" }, info.feature_types)
		assert.same({ "height", "type", "minimap", "metal", "grass", "tiles", "features" },
			info.block_order)
		local seen = {}
		for _, key in ipairs(info.__keys) do
			assert.is_not_nil(info[key], key)
			seen[key] = true
		end
		for key in pairs(info) do assert.is_true(seen[key] or key == "__keys", key) end
	end)

	it("is the same JSON text each time", function()
		local path = file("x.smf", map_bytes())
		local text = core.base.json_write(format.info(path), 2)
		assert.equal(text, core.base.json_write(format.info(path), 2))
		assert.equal("smf", core.base.json_read(text).kind)
	end)

	it("goes on past a broken block and names it", function()
		local bytes = map_bytes()
		bytes = bytes:sub(1, 68) .. ("<i4"):pack(#bytes - 10) .. bytes:sub(73)
		local info, findings = format.info(file("x.smf", bytes))
		assert.equal(1, #findings)
		assert.equal("error", findings[1].level)
		assert.equal("smf-pointer-range", findings[1].rule)
		assert.equal(("metal map: needs 4096 bytes at offset %d, file has %d"):format(#bytes - 10,
			#bytes), findings[1].message)
		assert.is_nil(info.metal_cells)
		assert.equal(128, info.mapx)
	end)

	it("raises for a header that is none, with the file's name", function()
		local path = file("x.smf", "spring map file\0 and no more")
		assert.equal(path .. ": header: needs 80 bytes, file has 28", message(format.info, path))
	end)
end)

describe("dump of a map file", function()
	after_each(run.clean)

	it("is stable text with the whole content", function()
		local text = dump(file("x.smf", map_bytes {
			types = ("\0"):rep(64 * 64 - 64) .. ("\1\2\2"):rep(21) .. "\3",
			features = { { name = "rock", x = 1.5, z = 2.25, y = 3, heading = -16384 } },
		}))
		for _, part in ipairs {
			"smf {\n\tmap_id = 0,\n\tmapx = 128,\n\tmapy = 128,\n\tmin_height = -100,\n",
			'\t\t{ "t.smt", count = 1 },\n', '\t\t[0] = "rock",\n',
			"\t\t{ type = 0, x = 1.5, y = 3, z = 2.25, rotation = -16384, relative_size = 1 },\n",
			'\theights = { -- 129 x 129\n\t\t{ rows = 129, "16384*129" },\n\t},\n',
			'\ttypes = { -- 64 x 64\n\t\t{ rows = 63, "0*64" },\n\t\t"1 2*2 1 2*2 ',
			'\ttile_index = { -- 32 x 32\n\t\t{ rows = 32, "0*32" },\n\t},\n',
			'-- 1024 x 1024\n', '-- 4 x 4\n\t},\n', "\textra_headers = {},\n",
			"\tfindings = {},\n}\n",
		} do
			assert.is_not_nil(text:find(part, 1, true), part)
		end
		assert.is_nil(text:find("2 x 2", 1, true))
	end)

	it("shows names from strangers without their control characters", function()
		local text = dump(file("x.smf", map_bytes {
			tile_files = { { name = "a\27[31m\"\\\n\255.smt", count = 1 } } }))
		assert.is_not_nil(text:find([["a\027[31m\"\\\n\255.smt"]], 1, true))
	end)

	it("changes where one height changes", function()
		local heights = ("\0\64"):rep(129 * 129)
		local other = heights:sub(1, 2 * (5 * 129 + 7)) .. "\1\64" .. heights:sub(2 * (5 * 129 + 7) + 3)
		local text = dump(file("x.smf", map_bytes { heights = other }))
		assert.is_not_nil(text:find('{ rows = 5, "16384*129" },\n\t\t"16384*7 16385 16384*121",\n'
			.. '\t\t{ rows = 123, "16384*129" }', 1, true))
	end)
end)

describe("info and dump of a tile file", function()
	after_each(run.clean)

	local tile, other = ("\16\132\0\0\0\0\0\0"):rep(85), ("\0\1\2\3\4\5\6\7"):rep(85)

	it("tell numbers and hashes of tiles", function()
		local path = file("x.smt", core.smt.write(tile .. tile .. other))
		local info, findings = format.info(path)
		assert.same({}, findings)
		assert.equal("smt", info.kind)
		assert.equal(3, info.num_tiles)
		assert.equal(2, info.distinct_tiles)
		assert.equal(2072, info.bytes)
		local text = dump(path)
		assert.is_not_nil(text:find(('[0] = "%s", -- and 1 more\n\t\t[2] = "%s",\n'):format(
			core.base.hash(tile), core.base.hash(other)), 1, true))
	end)

	it("say how many tiles a short file lacks", function()
		local bytes = core.smt.write(tile .. other)
		local info, findings = format.info(file("x.smt", bytes:sub(1, -2)))
		assert.equal(2, info.num_tiles)
		assert.equal(1, info.tiles_present)
		assert.equal("smt-short", findings[1].rule)
		assert.equal("error", findings[1].level)
	end)

	it("refuse tiles that are none", function()
		assert.matches("679 bytes are no whole number of 680 byte tiles",
			message(core.smt.write, ("x"):rep(679)))
	end)
end)

describe("the kinds of files", function()
	after_each(run.clean)

	it("are told by content before the extension", function()
		assert.equal("smf", format.of(file("x.bin", map_bytes())).name)
		assert.equal("smt", format.of(file("x.smf", core.smt.write ""), "").name)
		assert.matches("does not begin with", message(format.info, file("x.SMF", "nonsense")
			and file("y.SMF", ("x"):rep(100))))
	end)

	it("are refused by name when they are none", function()
		local path = file("x.txt", "hello")
		assert.equal(path .. ": not a kind of file that is known here", message(format.info, path))
		assert.matches("no such file or folder", message(format.info, path .. ".gone"))
		assert.matches("not a kind of file", message(format.info, run.folder()))
	end)

	it("can all be checked and written back byte for byte", function()
		local names = {}
		for _, row in ipairs(format.list()) do names[#names + 1] = row.name end
		assert.same({ "smf", "smt" }, { names[1], names[2] })
		for name, bytes in pairs { smf = map_bytes(), smt = core.smt.write(("\0"):rep(680)) } do
			core.format.verify(name, bytes, "x")
			assert.equal(bytes, core.format.rewrite(name, bytes, "x"))
		end
		assert.matches("^my label: ", message(core.format.verify, "smf", "short", "my label"))
		assert.matches("no format is called 'dwg'", message(core.format.verify, "dwg", "", ""))
	end)
end)

describe("making a map from a level", function()
	it("names the grid that has the wrong size", function()
		assert.matches("metal: has 4095 bytes, this map needs 4096",
			message(map_bytes, { metal = ("\0"):rep(4095) }))
		assert.matches("heights: has 0 bytes, this map needs 33282", message(map_bytes, { heights = "" }))
	end)

	it("names the feature whose number is none", function()
		assert.matches("feature 2 'rock': position", message(map_bytes,
			{ features = { { name = "a", x = 1, z = 1 }, { name = "rock", x = 0 / 0, z = 1 } } }))
		assert.matches("feature 1 'rock': position", message(map_bytes,
			{ features = { { name = "rock", x = 1 } } }))
		assert.matches("name: ", message(map_bytes, { features = { { x = 1, z = 1 } } }))
	end)

	it("refuses sizes the engine cannot take", function()
		assert.matches("width 192 is not a multiple of 128 squares; the nearest legal widths are 128 "
			.. "and 256", message(core.smf.check_size, 192, 128, false))
		core.smf.check_size(384, 128, true)
	end)

	it("gives heights as the engine interpolates them", function()
		local smf = core.smf.read(map_bytes { heights = "\0\0" .. ("\0\128"):rep(129 * 129 - 1) }, "x")
		assert.equal(-100, smf:ground_at(0, 0))
		assert.equal(150, smf:ground_at(8, 8))
		assert.equal(25, smf:ground_at(4, 0))
	end)

	it("gives back every grid that was put in", function()
		local function bytes(n, f)
			local out = {}
			for i = 0, n - 1 do out[#out + 1] = string.char(f(i) & 255) end
			return table.concat(out)
		end
		local grids = {
			height = bytes(2 * 129 * 129, function(i) return i * 7 end),
			type = bytes(64 * 64, function(i) return i * 3 end),
			metal = bytes(64 * 64, function(i) return i * 5 + 1 end),
			grass = bytes(32 * 32, function(i) return i % 200 + 2 end),
			minimap = bytes(699048, function(i) return i // 3 end),
		}
		local smf = core.smf.read(map_bytes { heights = grids.height, types = grids.type,
			metal = grids.metal, grass = grids.grass, minimap = grids.minimap }, "x")
		for name, want in pairs(grids) do assert.is_true(want == (smf:grid(name)), name) end
		local _, w, h = smf:grid "height"
		assert.same({ 129, 129 }, { w, h })
		assert.is_nil((core.smf.read(map_bytes(), "x"):grid "grass"))
	end)
end)
