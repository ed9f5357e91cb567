-- What the real engine makes of our maps. Every expected value is worked out here, in a few lines.
local judge = require "judge"
local lfs = require "lfs"
local run = require "run"

local available, why = judge.available()

-- A map whose heights, metal, types and grass follow from formulas.
local probe_map = [[
local mw = require "mapwright"
local x, z = mw.source.x(), mw.source.z()
local land = mw.terrain{ map_units = {4, 6}, min_height = -150, max_height = 450, seed = 5 }
land.height:set(x * 0.125 + (z - 1000) * (z - 1000) * 0.00003 - 60)
land:metal{ bytes = 3, below = 0 }
land:metal_spot{ x = 500, z = 900, metal = 2, mirror = "point" }
land:metal_spot{ x = 800, z = 1800, metal = 1.25, radius = 60, snap = false }
land:types{ type = 1, where = (x - 1024) }
land:types{ type = 7, where = (z - 2048) }
land:grass{ density = (x / 2048):clamp(0, 1) }
land:feature{ name = "TreeType3", x = 300.5, z = 400.25, heading = 1234 }
land:feature{ name = "TreeType3", x = 900, z = 400, facing = "east", mirror = "x" }
land:vent{ x = 1200, z = 2200 }
land:start{ x = 256, z = 300, mirror = "point" }
land:ground{ layers = { { color = "#6d7a4a" }, { color = "#805030", slope_above = 20 } } }
mw.target.bar{ out = "out/probe.%s", terrain = land, smt_split = 700,
	info = { name = "Probe Map", version = "2.1", author = "a", description = "d e f",
		maxMetal = 1.5, extractorRadius = 90, gravity = 140, tidalStrength = 17, maphardness = 250,
		atmosphere = { minWind = 3, maxWind = 19 },
		lighting = { sunDir = {0.5, 0.6, -0.25} }, water = { damage = 0 },
		terrainTypes = { [0] = { name = "Base" }, [1] = { name = "East", hardness = 2 },
			[7] = { name = "South", hardness = 0.5 } } } }
]]

local function height(x, z) return x * 0.125 + (z - 1000) * (z - 1000) * 0.00003 - 60 end

-- Build the probe map as a .sdd, .sdz or .sd7; gives its path and what the build said.
local function build_probe(kind)
	local dir = run.folder()
	run.write(dir .. "/build.lua", (probe_map:gsub("%%s", kind)))
	local result = run.mapwright({ "build", "--no-cache", "-v" }, { dir = dir })
	assert.equal("", result.status ~= 0 and result.err or "")
	return dir .. "/out/probe." .. kind, result.err
end

-- {x, z, asked, alone, gives} rows of the table that the build prints.
local function spot_table(text)
	local rows = {}
	for line in text:gmatch "[^\n]+" do
		local x, z, asked, alone, gives =
			line:match "^%s+%d+%s+([%d.]+)%s+([%d.]+)%s+([%d.]+)%s+([%d.]+)%s+([%d.]+)$"
		if x then
			rows[#rows + 1] = { x = tonumber(x), z = tonumber(z), asked = tonumber(asked),
				alone = tonumber(alone), gives = tonumber(gives) }
		end
	end
	return rows
end

-- Height on the triangle that (x, z) lies in, from vertex heights of the formula.
local function on_triangle(x, z)
	local i, j = x // 8, z // 8
	local dx, dz = (x - 8 * i) / 8, (z - 8 * j) / 8
	local tl, tr = height(8 * i, 8 * j), height(8 * i + 8, 8 * j)
	local bl, br = height(8 * i, 8 * j + 8), height(8 * i + 8, 8 * j + 8)
	if dx + dz < 1 then return tl + dx * (tr - tl) + dz * (bl - tl) end
	return br + (1 - dx) * (bl - br) + (1 - dz) * (tr - br)
end

describe("the engine", function()
	after_each(run.clean)

	if not available then
		pending("says nothing here: " .. why)
		return
	end

	it("sees heights, metal, types, features and starts as the script said", function()
		local map, said = build_probe "sd7"
		local spots = spot_table(said)
		assert.equal(3, #spots)
		local lines, points = { "grid metal" }, {}
		for i = 0, 199 do
			local x, z = 5 + (i * 613) % 2037, 5 + (i * 977) % 3061
			points[#points + 1] = { x = x, z = z }
			lines[#lines + 1] = ("probe %d %d"):format(x, z)
		end
		for _, spot in ipairs(spots) do lines[#lines + 1] = ("mex %g %g"):format(spot.x, spot.z) end
		local json, result = judge.engine(map, table.concat(lines, "\n"))
		assert.equal("", result.status ~= 0 and result.err or "")
		local report = json.report
		assert.equal(256, report.map[1].mapx)
		assert.equal(384, report.map[1].mapy)
		assert.equal("Probe Map 2.1", report.map[1].name)
		for key, want in pairs { gravity = 140, tidal = 17, extractorRadius = 90, hardness = 250,
			windMin = 3, windMax = 19 } do
			assert.near(want, report.map[1][key], 1e-4)
		end

		local step = 600 / 65536
		assert.equal(200, #report.probe)
		for i, at in ipairs(points) do
			local got = report.probe[i]
			assert.near(on_triangle(at.x, at.z), got.height, step / 2 + 1e-4)
			-- types: 16-elmo cells by their centres, the later rule wins
			local cx, cz = at.x // 16 * 16 + 8, at.z // 16 * 16 + 8
			local name = cz > 2048.5 and "South" or cx > 1024.5 and "East" or "Base"
			local found = false
			for _, v in ipairs(got.info) do found = found or v == name end
			assert.is_true(found, name)
		end

		assert.equal(3, #report.mex)
		local smf = require "case".smf(run.unpacked(map) .. "/maps/probe.smf")
		for i, mex in ipairs(report.mex) do
			local sum = 0
			for z = 0, 191 do
				for x = 0, 127 do
					local dx, dz = 16 * x + 8 - mex.ux, 16 * z + 8 - mex.uz
					if dx * dx + dz * dz < 90 * 90 then
						sum = sum + 1.5 * smf.byte(smf.metal_at, 128 * z + x)
					end
				end
			end
			assert.near(sum, mex.sum, 0.01)
			-- the table has three digits; extractors stand on the grid that spots snap to
			if mex.ux == spots[i].x and mex.uz == spots[i].z then
				assert.near(spots[i].gives, mex.sum / 1000, 0.0006)
			end
			assert.near(spots[i].asked, spots[i].alone, 1.5 / 2000 + 0.0006)
		end
		assert.is_true(report.mex[1].ux == spots[1].x and report.mex[1].uz == spots[1].z)

		assert.equal(4, #report.feature)
		local seen = {}
		for _, f in ipairs(report.feature) do
			seen[("%s %g %g %d"):format(f.name:lower(), f.x, f.z, f.heading)] = true
			assert.near(on_triangle(f.x, f.z), f.y, step / 2 + 1e-3)
		end
		assert.is_true(seen["treetype3 300.5 400.25 1234"])
		assert.is_true(seen["treetype3 900 400 16384"])
		assert.is_true(seen["treetype3 1148 400 -16384"])
		assert.is_true(seen["geovent 1200 2200 0"])

		assert.near(256, report.start[1].x, 1e-3)
		assert.near(300, report.start[1].z, 1e-3)
		assert.near(1792, report.start[2].x, 1e-3)
		assert.near(2772, report.start[2].z, 1e-3)
	end)

	for _, kind in ipairs { "sdd", "sdz", "sd7" } do
		it("reads the grids of a ." .. kind .. " byte for byte as written", function()
			local map = build_probe(kind)
			local json, grids, result = judge.unitsync(map)
			assert.equal("", result.status ~= 0 and result.err or "")
			local smf = require "case".smf(run.unpacked(map) .. "/maps/probe.smf")
			local function block(at, n) return smf.bytes:sub(at + 1, at + n) end
			assert.equal(block(smf.height_at, 2 * 257 * 385), grids.height)
			assert.equal(block(smf.type_at, 128 * 192), grids.type)
			assert.equal(block(smf.metal_at, 128 * 192), grids.metal)
			assert.equal(block(smf.grass_at, 64 * 96), grids.grass)
			for i = 0, 257 * 385 - 1, 11 do
				local want = (height(i % 257 * 8, i // 257 * 8) + 150) * 65536 / 600
				assert.near(want, smf.height(i), 0.5 + 1e-2)
			end
			for z = 0, 95 do
				for x = 0, 63 do
					local density = (32 * x + 16) / 2048
					assert.equal(math.floor(density * 252 + 2.5), smf.byte(smf.grass_at, z * 64 + x))
				end
			end
			local tree = assert(json.maps[1].mapinfo)
			assert.equal("maps/probe.smf", tree.mapfile)
			assert.equal("Probe Map", tree.name)
			assert.near(1.5, tree.maxmetal, 1e-6)
		end)
	end

	for name in lfs.dir "examples" do
		if name:match "^0[123]_" then
			it("loads the example " .. name .. " from all three containers", function()
				for _, kind in ipairs { "sdd", "sdz", "sd7" } do
					local dir = run.folder()
					local copy = ("cp -r examples/%s/. %s && cd %s && rm -rf made *.sd?"):format(
						name, dir, dir)
					assert(run.shell(copy).status == 0)
					local text = run.read(dir .. "/build.lua"):gsub("%.sd[7z]", "." .. kind)
					run.write(dir .. "/build.lua", text)
					local built = run.mapwright({ "build", "--no-cache" }, { dir = dir })
					assert.equal("", built.status ~= 0 and built.err or "")
					local path
					for file in lfs.dir(dir) do
						if file:match("%." .. kind .. "$") then path = dir .. "/" .. file end
					end
					local _, result = judge.engine(path, nil)
					assert.equal("", result.status ~= 0 and result.err .. result.out or "")
				end
			end)
		end
	end

	local gl = os.getenv "MAPWRIGHT_ENGINE_GL"
	it("draws the ground where it belongs, with no tile missing", function()
		if not gl then return pending "only with OpenGL (make check-all)" end
		-- four quarters of ground in four colours, the sea in the south-east corner
		local dir, shots = run.folder(), run.folder()
		run.write(dir .. "/build.lua", [[
			local mw = require "mapwright"
			local x, z = mw.source.x(), mw.source.z()
			local land = mw.terrain{ map_units = {4, 4}, min_height = -100, max_height = 100 }
			land.height:set(20):stamp({ x = 1700, z = 1700 }, { radius = 300, level = -80, soften = 20 })
			land:ground{ layers = { { color = "#e0e040" }, { color = "#40c040", mask = (x - 1024):step(0) },
				{ color = "#f0f0f0", mask = (z - 1024):step(0) * (1 - (x - 1024):step(0)) } } }
			land:start{ x = 300, z = 300, mirror = "point" }
			mw.target.bar{ out = "quarters.sdz", terrain = land, info = { name = "Quarters",
				version = "1", maxMetal = 1, extractorRadius = 90,
				atmosphere = { fogStart = 0.99, fogEnd = 1 },
				lighting = { sunDir = {0, 1, 0.1}, groundAmbientColor = {1, 1, 1} } } }]])
		local built = run.mapwright({ "build" }, { dir = dir })
		assert.equal("", built.status ~= 0 and built.err or "")
		local _, result = judge.engine(dir .. "/quarters.sdz", nil, "--gl --shots " .. shots)
		assert.equal("", result.status ~= 0 and result.err .. result.out or "")
		local bytes = run.read(shots .. "/top.png")
		local core = require "mapwright.core"
		local img = core.image.decode(bytes, "top.png")
		local w, h = core.image.info(img)
		local red = 0
		for y = 0, h - 1, 8 do
			for x = 0, w - 1, 8 do
				local r, g, b = core.image.get(img, x, y)
				if r > 0.6 and g < 0.3 and b < 0.3 then red = red + 1 end
			end
		end
		assert.equal(0, red)
		local function at(u, v)
			return core.image.get(img, math.floor(w / 2 + u * h), math.floor(h / 2 + v * h))
		end
		local r, g, b = at(-0.2, -0.2)
		assert.is_true(r > b * 1.5 and g > b * 1.5, "yellow in the north-west")
		r, g, b = at(0.2, -0.2)
		assert.is_true(g > r * 1.3 and g > b * 1.3, "green in the north-east")
		r, g, b = at(-0.2, 0.2)
		assert.is_true(math.abs(r - g) < 0.15 and math.abs(r - b) < 0.2, "white in the south-west")
		r, g = at(0.27, 0.27)
		assert.is_false(g > r * 1.3 and g > 0.5, "water in the south-east")
	end)
end)
