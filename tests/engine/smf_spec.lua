-- What the real engine makes of the bytes our writers put down, without the rest of a build.
local core = require "mapwright.core"
local judge = require "judge"
local run = require "run"
local write_mapinfo = require "mapwright.mapinfo.write"

local function bytes(n, f)
	local out = {}
	for i = 0, n - 1 do out[i + 1] = string.char(f(i) & 255) end
	return table.concat(out)
end

local features = {
	{ name = "GeoVent", x = 512, z = 256, heading = 90 },
	{ name = "TreeType3", x = 100.5, z = 60, heading = 40000 },
	{ name = "TreeType3", x = 2047, z = 1000.25, heading = -16384 },
}
local grids = {
	height = bytes(2 * 257 * 129, function(i) return i * 7 + i // 500 end),
	type = bytes(128 * 64, function(i) return i % 5 end),
	metal = bytes(128 * 64, function(i) return i * 3 + i // 128 end),
	grass = bytes(64 * 32, function(i) return i % 253 + 2 end),
}
local info = {
	name = "Written", version = "1.5", author = 'É "B" \\ C', description = "two\nlines\t",
	mapfile = "maps/t.smf", modtype = 3, gravity = 131.5, maxMetal = 1 / 3, extractorRadius = 92,
	tidalStrength = 17, depend = { "Map Helper v1" }, customFlag = true,
	smf = { minheight = -120.5 },
	lighting = { sunDir = { 0.5, 0.7, -0.2, 1.0 } }, water = { damage = 30 },
	terrainTypes = { [0] = { name = "a", moveSpeeds = { tank = 0.7 } }, [4] = { hardness = 1.4 } },
	teams = { [0] = { startPos = { x = 100, z = 200.5 } }, [1] = { startPos = { x = 900, z = 8 } } },
	custom = { ["end"] = 1, ["not a name"] = { 1, { 2, "x" } } },
}

local function map_folder()
	local root = run.folder() .. "/t.sdd"
	local smf = core.smf.from_level {
		mapx = 256, mapy = 128, min_height = -100, max_height = 400, heights = grids.height,
		types = grids.type, metal = grids.metal, grass = grids.grass, features = features,
		tile_files = { { name = "t.smt", count = 1 } }, tile_index = ("\0"):rep(64 * 32 * 4),
	}
	core.fs.write(root .. "/maps/t.smf", smf:write(false, true))
	core.fs.write(root .. "/maps/t.smt", core.smt.write(("\16\132\0\0\0\0\0\0"):rep(85)))
	core.fs.write(root .. "/mapinfo.lua", write_mapinfo(info))
	return root
end

-- As the engine's parser gives a table back: keys in lower case, all of them text, float32 numbers.
local function as_parsed(v)
	if type(v) == "number" then return (("<f"):unpack(("<f"):pack(v))) end
	if type(v) ~= "table" then return v end
	local out = {}
	for k, inner in pairs(v) do out[tostring(k):lower()] = as_parsed(inner) end
	return out
end

describe("the engine", function()
	local available, reason = judge.available()
	if not available then return pending(reason) end
	after_each(run.clean)

	it("has every grid and the mapinfo as written", function()
		local report, got, result = judge.unitsync(map_folder())
		local map = report.maps and report.maps[1]
		assert.is_not_nil(map, result.err .. result.out)
		for name, want in pairs(grids) do assert.is_true(want == got[name], name) end
		assert.same(as_parsed(info), as_parsed(map.mapinfo))
	end)

	it("takes overrides of mapconfig/mapinfo", function()
		local root = map_folder()
		core.fs.write(root .. "/mapconfig/mapinfo/20_b.lua", "mapinfo.gravity = mapinfo.gravity + 1\n"
			.. "if tobool(Spring.GetMapOptions().x) then error() end")
		core.fs.write(root .. "/mapconfig/mapinfo/10_a.lua",
			"return { GRAVITY = 99, Water = { Damage = 44, repeatX = 2 } }")
		local report = judge.unitsync(root)
		local got = report.maps[1].mapinfo
		assert.equal(100, got.gravity)
		assert.equal(44, got.water.damage)
		assert.equal(2, got.water.repeatx)
		assert.near(0.2, -got.lighting.sundir["3"], 1e-6)
	end)

	it("places features where they were put, turned as they were", function()
		local report, result = judge.engine(map_folder())
		assert.is_true(report.ok, result.err .. result.out)
		local placed = report.report.feature
		table.sort(placed, function(a, b) return a.x < b.x end)
		assert.equal(3, #placed)
		local want = { { "treetype3", 100.5, 60, -25536 }, { "geovent", 512, 256, 90 },
			{ "treetype3", 2047, 1000.25, -16384 } }
		local smf = core.smf.read(run.read(map_folder() .. "/maps/t.smf"), "t.smf")
		for i, w in ipairs(want) do
			local f = placed[i]
			assert.same(w, { f.name, f.x, f.z, f.heading })
			-- the header says -100; mapinfo's smf table lifts the low end to -120.5
			local low = -120.5 + (smf:ground_at(w[2], w[3]) + 100) * (400 + 120.5) / 500
			assert.near(low, f.y, 0.01)
		end
		assert.equal(1, #report.report.map)
		assert.equal("Written 1.5", report.report.map[1].name)
	end)
end)
