-- The shared cases that ask for a map to be built.
local case = require "case"
local run = require "run"

-- Build a case that must work and read its .smf.
local function built(id, extra, change)
	local result, dir = case.build(id, extra, change)
	if not result then return pending("no shared cases here") end
	assert.equal("", result.status ~= 0 and result.err or "")
	return case.smf(dir .. "/out/case.sdd/maps/t.smf"), result, dir
end

local function refused(id, extra, change)
	local result, dir = case.build(id, extra, change)
	if not result then return pending("no shared cases here") end
	assert.equal(1, result.status)
	assert.is_false(run.exists(dir .. "/out/case.sdd"))
	assert.same({}, run.exists(dir .. "/out") and run.files(dir .. "/out") or {})
	return result.err
end

describe("building a case", function()
	after_each(run.clean)

	it("sb01: writes a minimap block of exactly 699,048 bytes", function()
		local f = built "smf-build/sb01"
		assert.equal(256, f.mapx)
		assert.equal(128, f.mapy)
		assert.same({ 80, 66386, 74578, 773626, 781818, 790028, 0 }, { f.height_at, f.type_at,
			f.minimap_at, f.metal_at, f.tiles_at, f.feature_at, f.extra })
		assert.equal(790036, #f.bytes)
		assert.equal("t.smt", f.tile_files[1].name)
	end)

	it("sb03: refuses 192 squares and names the legal sizes", function()
		local err = refused "smf-build/sb03"
		assert.matches("192", err)
		assert.matches("128", err)
		assert.matches("256", err)
		assert.matches("build%.lua:2:", err)
	end)

	it("sb04: accepts a long strip", function()
		local f = built "smf-build/sb04"
		assert.equal(855810, f.type_at - f.height_at)
		assert.equal(106496, f.minimap_at - f.type_at)
		assert.equal(106496, 4 * 416 * 64)
		assert.equal(1, f.num_tiles)
		assert.equal(f.index_at + 106496, f.feature_at)
		for i = 0, 416 * 64 - 1, 97 do assert.equal(7, f.byte(f.grass_at, i)) end
	end)

	it("sb05: shares only equal tiles", function()
		local f, _, dir = built "smf-build/sb05"
		assert.equal(3, f.num_tiles)
		assert.equal(2072, #run.read(dir .. "/out/case.sdd/maps/t.smt"))
		local common = f.index(0)
		assert.are_not.equal(f.index(101), f.index(649))
		for i = 0, 1023 do
			if i == 101 or i == 649 then
				assert.are_not.equal(common, f.index(i))
			else
				assert.equal(common, f.index(i))
			end
		end
	end)

	it("hm01: widens 8-bit heights and says so", function()
		local f, result = built "heightmap/hm01"
		assert.equal(0, f.height(0))
		assert.equal(32896, f.height(64))
		assert.equal(65535, f.height(128 * 129 + 128))
		assert.matches("warning: .*8", result.err)
	end)

	it("hm03: keeps the byte order of 16-bit PNG", function()
		local f = built "heightmap/hm03"
		assert.equal("\x02\x01\x01\x02\xff\x00\x00\xff\x34\x12",
			f.bytes:sub(f.height_at + 1, f.height_at + 10))
		assert.equal(100, f.height(100 * 129))
	end)

	it("hm05: refuses a coloured height picture", function()
		assert.matches("red%.png", refused "heightmap/hm05")
	end)

	it("hm07: keeps a rectangle the right way round", function()
		local f = built "heightmap/hm07"
		assert.same({ 10, 20, 30, 40, 50, 1000 }, { f.height(0), f.height(256), f.height(128 * 257),
			f.height(128 * 257 + 256), f.height(5 * 257 + 200), f.height(257) })
	end)

	it("mg01: keeps metal and grass bytes as they are", function()
		local f = built "metal-grass-features/mg01"
		assert.equal(1, f.extra)
		for z = 0, 63 do
			for x = 0, 63 do assert.equal((3 * x + z) & 255, f.byte(f.metal_at, z * 64 + x)) end
		end
		for z = 0, 31 do
			for x = 0, 31 do
				assert.equal((7 * x + 5 * z) % 253 + 1, f.byte(f.grass_at, z * 32 + x))
			end
		end
	end)

	it("mg03: centres snapped spots on multiples of 16", function()
		for _, at in ipairs { { 488, 424 }, { 200, 200 }, { 777, 650 } } do
			local f = built("metal-grass-features/mg03",
				("land:metal_spot{ x = %d, z = %d, metal = 2, radius = 48 }"):format(at[1], at[2]))
			local sum, sx, sz = 0, 0, 0
			for z = 0, 63 do
				for x = 0, 63 do
					local v = f.byte(f.metal_at, z * 64 + x)
					sum, sx, sz = sum + v, sx + v * (16 * x + 8), sz + v * (16 * z + 8)
				end
			end
			assert.equal(2000, sum)
			local x, z = sx / sum, sz / sum
			assert.near(0, x - 16 * math.floor(x / 16 + 0.5), 0.01)
			assert.near(0, z - 16 * math.floor(z / 16 + 0.5), 0.01)
			assert.is_true(math.abs(x - at[1]) <= 10 and math.abs(z - at[2]) <= 10)
		end
	end)

	it("mg05: writes feature records as given", function()
		local f = built("metal-grass-features/mg05", [[
			land.height:set(12.5)
			land:feature{ name = "GeoVent", x = 512, z = 512, heading = 0 }
			land:feature{ name = "rock_grey", x = 100.5, z = 200.25, heading = 90 }
			land:feature{ name = "rock_grey", x = 1023.5, z = 0.5, heading = 359.5 }]],
			function(request) request.max_height = "25" end)
		assert.same({ "GeoVent", "rock_grey" }, f.types)
		assert.equal(3, #f.features)
		local want = { { 512, 512, 0, "GeoVent" }, { 100.5, 200.25, 90, "rock_grey" },
			{ 1023.5, 0.5, 359.5, "rock_grey" } }
		for i, row in ipairs(want) do
			local got = f.features[i]
			assert.same(row, { got.x, got.z, got.rotation, got.name })
			assert.near(12.5, got.y, 0.01)
			assert.equal(1, got.size)
		end
	end)

	it("mg07: refuses a metal picture of another size, naming both", function()
		local err = refused "metal-grass-features/mg07"
		assert.matches("64x64", err)
		assert.matches("32x32", err)
	end)

	it("mg08: warns about the reserved grass value and about on/off grass", function()
		local _, result = built("metal-grass-features/mg08", nil,
			function(request) request.grass = "grass_255.png" end)
		assert.matches("warning: .*1 cell.*255", result.err)
		_, result = built("metal-grass-features/mg08", nil,
			function(request) request.grass = "grass_01.png" end)
		assert.matches("warning: .*highest.*1", result.err)
	end)

	it("cu01: fails for a missing picture and writes nothing", function()
		assert.matches("build%.lua:3: .*does_not_exist%.png", refused "cli-ux/cu01")
	end)

	it("cu03: takes names with blanks and letters beyond ASCII", function()
		local result, dir = case.build("cli-ux/cu03", nil,
			function(request) request.smt_name = "Gerät 2.smt" end)
		if not result then return pending("no shared cases here") end
		assert.equal("", result.status ~= 0 and result.err or "")
		local f = case.smf(dir .. "/out/case.sdd/maps/Gerät 2.smf")
		assert.equal("Gerät 2.smt", f.tile_files[1].name)
		for i = 0, 129 * 129 - 1, 131 do assert.equal(0x8000, f.height(i)) end
	end)

	it("la03: takes whole numbers as numbers, refuses what is none", function()
		if not run.shared "cases/lua-api/la03" then return pending("no shared cases here") end
		local function size(text)
			local dir = run.folder()
			run.write(dir .. "/build.lua", 'local mw = require "mapwright"\n'
				.. "local land = mw.terrain{ squares = {" .. text
				.. ", 128}, min_height = 0, max_height = 9 }\n"
				.. "print(land.squares.x, math.type(land.squares.x))\n")
			return run.mapwright({ "build", dir .. "/build.lua" })
		end
		assert.matches("^128\tinteger", size("1024 / 8").out)
		for _, text in ipairs { "128.5", "0/0", "'128'" } do
			local result = size(text)
			assert.equal(1, result.status)
			assert.matches("build%.lua:2: error: terrain: .*squares", result.err)
		end
		assert.matches("128%.5", size("128.5").err)
	end)
end)

describe("textures of the cases", function()
	after_each(run.clean)

	-- Endpoints and 16 indices of block n of a tile record.
	local function block(smt, tile, n)
		local c0, c1, bits = ("<I2 I2 I4"):unpack(smt, 32 + 680 * tile + 8 * n + 1)
		return c0, c1, bits
	end

	-- RGB of the four palette entries, as the engine's card decodes them.
	local function palette(c0, c1)
		local function rgb(c)
			local r, g, b = c >> 11, c >> 5 & 63, c & 31
			return { r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2 }
		end
		local a, b, out = rgb(c0), rgb(c1), {}
		out[0], out[1], out[2], out[3] = a, b, {}, {}
		for k = 1, 3 do
			out[2][k] = (2 * a[k] + b[k] + 1) // 3
			out[3][k] = (a[k] + 2 * b[k] + 1) // 3
		end
		return out
	end

	-- Build a map whose north-west tiles come from a small picture, repeated over the ground.
	local function tiles(id, picture, width)
		local dir = case.copy(id)
		if not dir then return pending("no shared cases here") end
		run.write(dir .. "/build.lua", ([[
			local mw = require "mapwright"
			local land = mw.terrain{ squares = {128, 128}, min_height = 0, max_height = 10 }
			land:ground{ layers = { { texture = %q, scale = %d } } }
			mw.target.bar{ out = "out/case.sdd", terrain = land, map_name = "t",
				info = { name = "C", version = "1", maxMetal = 1, extractorRadius = 90 } }]]):format(picture,
			width))
		local result = run.mapwright({ "build" }, { dir = dir })
		assert.equal("", result.status ~= 0 and result.err or "")
		return run.read(dir .. "/out/case.sdd/maps/t.smt"), case.smf(dir .. "/out/case.sdd/maps/t.smf")
	end

	it("td01: opaque pictures never get a transparent block", function()
		local smt, f = tiles("texture-dxt/td01", "nearflat.png", 32)
		for n = 0, 84 do
			local c0, c1, bits = block(smt, f.index(0), n)
			assert.is_true(c0 > c1 or (c0 == c1 and bits == 0))
		end
	end)

	it("td05: alpha does not change the ground", function()
		local a = tiles("texture-dxt/td05", "opaque.png", 32)
		local b = tiles("texture-dxt/td05", "ramp_alpha.png", 32)
		assert.equal(a, b)
	end)

	it("td06: mips do not bleed over a tile's edge", function()
		local smt, f = tiles("texture-dxt/td06", "redblue.png", 64)
		for n = 0, 84 do
			for tile, want in pairs { [0] = { 255, 0, 0 }, [1] = { 0, 0, 255 } } do
				local c0, c1, bits = block(smt, f.index(tile), n)
				local colours = palette(c0, c1)
				for i = 0, 15 do
					local got = colours[bits >> 2 * i & 3]
					for k = 1, 3 do assert.near(want[k], got[k], 8) end
				end
			end
		end
	end)

	it("td07: mips average the stored values", function()
		local smt, f = tiles("texture-dxt/td07", "checker.png", 32)
		for n = 64, 84 do
			local c0, c1, bits = block(smt, f.index(0), n)
			local colours = palette(c0, c1)
			for i = 0, 15 do
				for k = 1, 3 do assert.near(127.5, colours[bits >> 2 * i & 3][k], 4.5) end
			end
		end
	end)
end)

describe("scripts of the cases", function()
	after_each(run.clean)

	it("la01: walking a table gives one order in twenty processes", function()
		local dir = case.copy "lua-api/la01"
		if not dir then return pending("no shared cases here") end
		run.write(dir .. "/build.lua", 'print(require "walk")')
		local first
		for _ = 1, 20 do
			local out = run.mapwright({ "build", "--plan" }, { dir = dir }).out
			first = first or out
			assert.equal(first, out)
		end
		assert.matches("aa=97", first)
		assert.matches("zz=122", first)
	end)

	it("la04: clamps infinities and counts them, refuses nan", function()
		if not run.shared "cases/lua-api/la04" then return pending("no shared cases here") end
		local dir = run.folder()
		local function quantize(nan)
			run.write(dir .. "/build.lua", ([[
				local mw = require "mapwright"
				local land = mw.terrain{ squares = {128, 128}, min_height = -100, max_height = 100 }
				local h = land.height
				if %s then h:set(0, 0, 0/0) end
				h:set(1, 0, math.huge); h:set(2, 0, -math.huge); h:set(3, 0, 1e9); h:set(4, 0, -0.0)
				land:ground{ layers = { { color = "#808080" } } }
				mw.target.bar{ out = "out/case.sdd", terrain = land, map_name = "t",
					info = { name = "C", version = "1", maxMetal = 1, extractorRadius = 90 } }]]):format(
				tostring(nan)))
			return run.mapwright({ "build" }, { dir = dir })
		end
		local result = quantize(true)
		assert.equal(1, result.status)
		assert.matches("height field: sample %(0, 0%) is not a number", result.err)
		result = quantize(false)
		assert.equal("", result.status ~= 0 and result.err or "")
		assert.matches("warning: .*3 ", result.err)
		local f = case.smf(dir .. "/out/case.sdd/maps/t.smf")
		assert.same({ 65535, 0, 65535, 32768 }, { f.height(1), f.height(2), f.height(3), f.height(4) })
	end)

	it("la05: lists a tree sorted, each path ready to open", function()
		local dir = case.copy "lua-api/la05"
		if not dir then return pending("no shared cases here") end
		run.write(dir .. "/build.lua", [[
			local mw = require "mapwright"
			for _, path in ipairs(mw.fs.list "tree") do print(path, #mw.read(path) > 0) end]])
		local out = run.mapwright({ "build", "--plan" }, { dir = dir }).out
		assert.equal("tree/a.txt\ttrue\ntree/b.txt\ttrue\ntree/sub/c.txt\ttrue\n", out)
	end)
end)

describe("command lines of the cases", function()
	it("cu07: a value missing, no number, a misspelt name", function()
		for _, row in ipairs { { { "build", "-j" }, "%-j needs N" },
			{ { "build", "-j", "abc" }, "%-j: .*abc" },
			{ { "build", "--sats" }, "%-%-sats'.*%-%-stats" } } do
			local result = run.mapwright(row[1])
			assert.equal(2, result.status)
			assert.matches(row[2], result.err)
		end
	end)

	it("cu08: numbers outside their range are refused with the value", function()
		for _, value in ipairs { "0", "-32", "nan", "1e-30" } do
			local result = run.mapwright { "build", "-j", value }
			assert.equal(2, result.status)
			assert.matches(value, result.err, 1, true)
		end
	end)
end)
