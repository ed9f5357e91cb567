-- The shared cases of map files to be read.
local case = require "case"
local format = require "mapwright.format"
local run = require "run"

-- Info, findings and dump of a case's map; what refuses it first.
local function read(id, name)
	local dir = case.copy(id)
	if not dir then return nil end
	local path = dir .. "/" .. name
	local info, findings = format.info(path)
	local out, first = {}, nil
	format.dump(path, function(text) out[#out + 1] = text end)
	for _, f in ipairs(findings) do
		if f.level == "error" and not first then first = f end
	end
	return { info = info, findings = findings, dump = table.concat(out), error = first,
		path = path, bytes = run.read(path) }
end

-- The program says the same: refused or not, with this on standard error.
local function assert_program(map, status, part)
	for _, command in ipairs { "info", "dump" } do
		if pcall(require, "mapwright.cli." .. command) then
			local result = run.mapwright { command, map.path }
			assert.equal(status, result.status, command .. ": " .. result.err)
			if part then assert.matches(part, result.err) end
		end
	end
end

describe("reading a case", function()
	after_each(run.clean)

	it("sr01: takes blocks in any order, heights by the engine's formula", function()
		local map = read("smf-read/sr01", "order.smf")
		if not map then return pending "no shared cases here" end
		assert.same({}, map.findings)
		assert.same({ "grass", "features", "tiles", "metal", "minimap", "type", "height" },
			map.info.block_order)
		local smf = require "mapwright.core".smf.read(map.bytes, "order.smf")
		assert.near(-0.0015259, smf:ground_at(7 * 8, 5 * 8), 0.0001)
		assert.near(399.99237, smf:ground_at(0, 0), 0.0001)
		assert.near(399.99237, map.info.highest, 0.0001)
		assert.equal(-100, smf:ground_at(800, 800))
		local function byte(block, x, z)
			local grid, width = smf:grid(block)
			return grid:byte(z * width + x + 1)
		end
		assert.equal(200, byte("grass", 4, 3))
		assert.equal(99, byte("metal", 20, 10))
		assert.equal(3, byte("type", 63, 63))
		assert.equal(1, map.info.num_features)
		assert.same({ type = 0, name = "GeoVent", x = 512, y = 0, z = 256, rotation = 90,
			relative_size = 1 }, smf:features()[1])
		assert_program(map, 0)
	end)

	it("sr03: refuses a metal map past the end", function()
		local map = read("smf-read/sr03", "short.smf")
		if not map then return pending "no shared cases here" end
		assert.equal(("metal map: needs 4096 bytes at offset %d, file has %d"):format(
			#map.bytes - 10, #map.bytes), map.error.message)
		assert_program(map, 1, "metal map")
	end)

	it("sr05: refuses a feature name that the end of the file cuts off", function()
		local map = read("smf-read/sr05", "nonul.smf")
		if not map then return pending "no shared cases here" end
		assert.matches("^feature block: feature type name: not ended by a zero byte", map.error.message)
		for name in map.dump:gmatch "rock_grey[%w_]*" do assert.equal("rock_grey", name) end
		assert_program(map, 1, "feature")
	end)

	it("sr07: reports a tile that is not there, with its cell", function()
		local map = read("smf-read/sr07", "badtile.smf")
		if not map then return pending "no shared cases here" end
		assert.equal("tile index: column 5, row 2 is 7, but there is only 1 tile",
			map.error.message)
		assert_program(map, 1, "column 5, row 2 is 7")
	end)

	it("sr08: does not mind an unused tile", function()
		local map = read("smf-read/sr08", "spare.smf")
		if not map then return pending "no shared cases here" end
		assert.same({}, map.findings)
		assert.equal(2, map.info.num_tiles)
		assert.equal(1, map.info.tiles_used)
		assert_program(map, 0)
	end)
end)

describe("reading a map of the corpus", function()
	local core = require "mapwright.core"
	local maps = {
		["mapconv_128_blank.smf"] = { mapx = 128, min_height = 0, max_height = 2560,
			num_tiles = 2, has_grass = true, num_feature_types = 17, minimap_bytes = 699048,
			order = "height type minimap tiles metal grass features" },
		["pymapconv_128_grass190.smf"] = { mapx = 128, min_height = 100, max_height = 1100,
			has_grass = true, grass_max = 190, num_feature_types = 17, minimap_bytes = 699048,
			order = "grass height type minimap metal tiles features" },
		["convng_256_grass18.smf"] = { mapx = 256, min_height = 0, max_height = 1,
			has_grass = true, grass_max = 18, num_feature_types = 0, minimap_bytes = 699064,
			order = "grass minimap height type metal features tiles" },
	}
	for name, want in pairs(maps) do
		it("tells the facts of " .. name .. " and writes it back", function()
			local path = run.shared("corpus/smf/" .. name)
			if not path then return pending "no shared corpus here" end
			local info, findings = format.info(path)
			for _, f in ipairs(findings) do assert.are_not.equal("error", f.level, f.message) end
			for key, value in pairs(want) do
				if key ~= "order" then assert.equal(value, info[key], key) end
			end
			assert.equal(want.order, table.concat(info.block_order, " "))
			local bytes = run.read(path)
			assert.is_true(bytes == core.format.rewrite("smf", bytes, name))
		end)
	end
end)
