local core = require "mapwright.core"
local mw = require "mapwright"

-- The message without the place in front of it.
local function refused(fn, ...)
	local ok, message = pcall(fn, ...)
	assert.is_false(ok)
	return (tostring(message):gsub("^.-field_spec%.lua:%d+: ", ""))
end

local function values(f)
	local out = {}
	for j = 0, f.h - 1 do
		for i = 0, f.w - 1 do out[#out + 1] = f:get(i, j) end
	end
	return out
end

-- A field of the numbers given, in one row.
local function row(...)
	local f = mw.field { w = select("#", ...), h = 1 }
	for i, v in ipairs { ... } do f:set(i - 1, 0, v) end
	return f
end

describe("a field", function()
	it("knows its size and place", function()
		local f = mw.field { w = 5, h = 3, step = 16, x = 8, z = 8, seed = 77, value = 2.5 }
		assert.same({ 5, 3, 16, 8, 8, 77 }, { f.w, f.h, f.step, f.x, f.z, f.seed })
		assert.equal(2.5, f:get(4, 2))
		assert.equal("field 5x3", tostring(f))
	end)

	it("takes whole floats as sizes and refuses fractions", function()
		assert.equal(128, mw.field { w = 1024 / 8, h = 1 }.w)
		assert.equal("field: 'w' = 128.5 is not a whole number", refused(mw.field, { w = 128.5, h = 1 }))
		assert.matches("'w' must be a whole number, got nan", refused(mw.field, { w = 0 / 0, h = 1 }))
		assert.matches("'w' must be a whole number, got '128'", refused(mw.field, { w = "128", h = 1 }))
	end)

	it("suggests the method that was meant", function()
		local f = mw.field { w = 2, h = 2 }
		assert.equal("field: no field or method 'blurr' (did you mean 'blur'?)",
			refused(function() f:blurr(3) end))
	end)

	it("chains arithmetic in place", function()
		local f = row(1, -2, 6)
		assert.equal(f, f:add(1):mul(2):sub(4):div(2):max(-1):min(4))
		assert.same({ 0, -1, 4 }, values(f))
		assert.same({ 0, 1, 4 }, values(f:copy():abs()))
		assert.same({ 0, -1, 4 }, values(f))
		assert.same({ 0, 0, 2 }, values(f:clamp(0, 2)))
		assert.same({ 10, 10, 20 }, values(f:normalise(10, 20)))
	end)

	it("takes other fields of its size", function()
		assert.same({ 11, 22 }, values(row(1, 2):add(row(10, 20))))
		assert.equal("field:add: the fields differ in size: 2 x 1 and 3 x 1 samples; see 'resample'",
			refused(function() row(1, 2):add(row(1, 2, 3)) end))
		assert.equal("field:add: value must be a number or a field or a source or an image, got 'x'",
			refused(function() row(1):add("x") end))
	end)

	it("takes sources where it takes numbers, at its own places and with its own seed", function()
		local f = mw.field { w = 3, h = 2, step = 10, x = 100, z = 7 }
		assert.same({ 100, 110, 120, 100, 110, 120 }, values(f:set(mw.source.x())))
		assert.same({ 50, 55, 60, 50, 55, 60 }, values(f:lerp(0, mw.source.z() * 0 + 0.5)))
		local function noisy(seed)
			return core.field.bytes(mw.field { w = 9, h = 9, seed = seed,
				value = mw.noise.gradient { period = 30, octaves = 2, amplitude = 5 } })
		end
		assert.equal(noisy(1), noisy(1))
		assert.not_equal(noisy(1), noisy(2))
	end)

	it("becomes a source in an expression and stays as it is", function()
		local a, b = row(1, 2, 3), row(10, 20, 30)
		assert.same({ 12, 24, 36 }, values(row(0, 0, 0):set(a * 2 + b)))
		assert.same({ 9, 18, 27 }, values(row(0, 0, 0):set(-(a - b))))
		assert.same({ 1, 4, 9 }, values(row(0, 0, 0):set(a ^ 2)))
		assert.same({ 5, 10, 15 }, values(row(0, 0, 0):set(b / 2)))
		assert.same({ 1, 2, 3 }, values(a))
	end)

	it("goes towards a value by a mask", function()
		assert.same({ 0, 50, 100 }, values(row(0, 0, 0):lerp(100, row(0, 0.5, 1))))
		assert.same({ 5, 5 }, values(row(0, 10):lerp(row(10, 0), 0.5)))
	end)

	it("follows curves and terraces", function()
		assert.same({ 0, 50, 100, 100 }, values(row(-5, 5, 10, 99):curve { { 0, 0 }, { 10, 100 } }))
		assert.equal("field:curve: point 2 is at 1, which does not rise above 3",
			refused(function() row(1):curve { { 3, 0 }, { 1, 1 } } end))
		assert.same({ 0, 0, 10, -10 }, values(row(0, 9.5, 10, -1):terrace { step = 10, soften = 0 }))
		assert.same({ 30 }, values(row(30):terrace(10)))
		assert.same({ 0, 60, 60, 90 },
			values(row(-9, 60, 75, 99):terrace { levels = { 0, 60, 90 } }))
		assert.same({ 0, 50, 100 },
			values(row(0, 5, 10):curve { { 0, 0 }, { 5, 50 }, { 10, 100 }, smooth = true }))
		assert.equal("field:terrace: give 'step' or 'levels'",
			refused(function() row(1):terrace {} end))
	end)

	it("maps through a function that knows the place", function()
		local f = mw.field { w = 3, h = 2, step = 10, x = 100, z = 7, value = 1 }
		f:map(function(v, x, z) return v + x * 1000 + z end)
		assert.same({ 100008, 110008, 120008, 100018, 110018, 120018 }, values(f))
		assert.equal("map: the function gave nil for sample (2, 0), a number is needed",
			refused(function() f:map(function(v, x) if x < 120 then return v end end) end))
		assert.equal("mine", select(2, pcall(function() f:map(function() error("mine", 0) end) end)))
	end)

	it("may be closed, and then only says so", function()
		local f
		do
			local short <close> = mw.field { w = 3, h = 3 }
			f = short
		end
		assert.equal("field: was closed", refused(function() f:at(1, 1) end))
		assert.equal("field: was closed", refused(function() f:add(1) end))
		assert.equal("field: was closed", refused(function() row(1):add(f) end))
		f = mw.field { w = 3, h = 3 }
		assert.equal("field: was closed", refused(function()
			f:map(function(v)
				local closed <close> = f -- luacheck: ignore
				return v
			end)
		end))
	end)

	it("reads between samples as the engine does, or bilinearly", function()
		local f = mw.field { w = 2, h = 2, step = 8 }
		f:set(0, 0, 0):set(1, 0, 8):set(0, 1, 16):set(1, 1, 100)
		assert.equal(31, f:at(4, 4))
		assert.equal(12, f:height_at(4, 4))
		assert.equal(56, f:height_at(6, 6))
		assert.matches("i: 2 is outside 0..1", refused(function() f:get(2, 0) end))
	end)

	it("measures and counts", function()
		local f = row(1, 2, 3, 4)
		assert.same({ 1, 4 }, { f:min_max() })
		assert.same({ 2, 2 }, f:histogram { bins = 2 })
		assert.same({ 1, 1 }, f:histogram { bins = 2, min = 2, max = 3 })
		f:set(0, 0, 0 / 0)
		assert.same({ min = 2, max = 4, mean = 3, nan = 1, inf = 0 }, f:measure())
	end)
end)

describe("shapes on a field", function()
	local function ground() return mw.field { w = 65, h = 65, value = 10 } end

	it("stamp discs with soft edges in elmos", function()
		local f = ground():stamp({ x = 256, z = 256 }, { radius = 80, level = 90, soften = 80 })
		assert.equal(90, f:at(256 + 80, 256))
		assert.equal(50, f:at(256 + 120, 256))
		assert.equal(10, f:at(256 + 160, 256))
	end)

	it("stamp rectangles", function()
		local f = ground():stamp({ 256, 256 }, { width = 160, depth = 80, level = 0 })
		assert.same({ 0, 0, 10, 10 }, { f:at(176, 256), f:at(256, 216), f:at(168, 256), f:at(256, 208) })
		assert.equal("field:stamp: needs 'radius', or 'width' and 'depth'",
			refused(function() f:stamp({ 0, 0 }, { level = 3 }) end))
		assert.equal("field:stamp: give 'radius' or 'width' and 'depth', not both",
			refused(function() f:stamp({ 0, 0 }, { level = 3, radius = 4, width = 5 }) end))
		assert.equal("field:stamp: unknown option 'radus' (did you mean 'radius'?)",
			refused(function() f:stamp({ 0, 0 }, { level = 3, radus = 4 }) end))
	end)

	it("flatten a site to its mean", function()
		local f = ground():map(function(_, x) return x end)
		f:flatten({ x = 256, z = 256 }, { radius = 64 })
		assert.equal(256, f:at(200, 256))
		assert.equal(256, f:at(312, 256))
		assert.equal(0, f:at(0, 256))
		f:flatten({ x = 256, z = 256 }, { radius = 64, level = 5 })
		assert.equal(5, f:at(200, 256))
	end)

	it("draw lines, paths and ramps", function()
		local f = ground():line({ { 0, 0 }, { 512, 512 } }, { width = 60, level = 60 })
		assert.equal(60, f:at(256, 256))
		assert.equal(10, f:at(256, 320))
		f = ground():path({ { 0, 256, 0 }, { x = 512, z = 256, level = 512 } }, { width = 40 })
		assert.equal(128, f:at(128, 256))
		f = ground():ramp({ x = 128, z = 256 }, { x = 256, z = 256, level = 138 }, { width = 64 })
		assert.equal(74, f:at(192, 256)) -- from the ground's own 10
		assert.equal("field:ramp: both ends are at (1, 2)",
			refused(function() f:ramp({ 1, 2 }, { 1, 2 }, { width = 3 }) end))
	end)

	it("fill polygons", function()
		local f = ground():polygon({ { 100, 100 }, { 400, 100 }, { 100, 400 } }, { level = 0 })
		assert.same({ 0, 10 }, { f:at(160, 160), f:at(360, 360) })
		assert.equal("field:polygon: needs at least three points, got 2",
			refused(function() f:polygon({ { 1, 1 }, { 2, 2 } }, { level = 1 }) end))
	end)
end)

describe("a field as a whole", function()
	local function rough()
		local f, rng = mw.field { w = 33, h = 33, step = 8 }, mw.rng(5)
		return f:map(function() return rng:range(-100, 100) end)
	end

	it("mirrors exactly, and stays so under a blur", function()
		local f = rough():mirror "point":blur(24)
		for j = 0, 32 do
			for i = 0, 32 do assert.equal(f:get(32 - i, 32 - j), f:get(i, j)) end
		end
		f = rough():mirror({ n = 4 }, { soften = 30 })
		for j = 0, 32 do
			for i = 0, 32 do assert.equal(f:get(j, 32 - i), f:get(i, j)) end
		end
		assert.matches("'mirror' must be one of", refused(function() f:mirror "y" end))
	end)

	it("gives slope, curvature and other sizes as new fields", function()
		local f = mw.field { w = 33, h = 33 }:map(function(_, x) return x end)
		assert.is_true(math.abs(f:slope():at(100, 100) - 45) < 1e-4)
		assert.equal(0, f:curvature():at(100, 100))
		assert.is_true(math.abs(f:engine_slope():at(100, 100) - (1 - math.sqrt(0.5))) < 1e-6)
		local small = f:resample { w = 9, h = 9 }
		assert.same({ 9, 32, 256 }, { small.w, small.step, small:get(8, 0) })
		assert.equal(100, small:at(100, 3))
		assert.equal(33, f.w)
	end)

	it("is the same for any number of threads", function()
		local before = core.base.threads()
		local function bytes(threads)
			core.base.set_threads(threads)
			local f = rough():mirror({ n = 5 }):blur(31):slope()
			core.base.set_threads(before)
			return core.base.hash(core.field.bytes(f))
		end
		assert.equal(bytes(1), bytes(7))
	end)
end)

describe("erosion of a field", function()
	local function hills(seed)
		local f, rng = mw.field { w = 65, h = 65, step = 8, seed = seed or 1 }, mw.rng(5)
		f:map(function() return rng:range(0, 3000) end)
		return f:blur(120):mirror "point"
	end
	local function bytes(f) return core.field.bytes(f) end

	it("has three kinds that change the ground", function()
		local was = bytes(hills())
		for _, kind in ipairs { "thermal", "hydraulic", "droplets" } do
			local f = hills():erode { kind = kind, angle = kind == "thermal" and 10 or nil }
			assert.not_equal(was, bytes(f))
			local before, after = hills():measure(), f:measure()
			-- drops may leave the map with what they carry
			local loss = kind == "droplets" and 5 or 0.01
			assert.is_true(math.abs(before.mean - after.mean) < loss)
		end
	end)

	it("keeps symmetry where water runs on a grid", function()
		local f = hills():erode { kind = "hydraulic", iterations = 40 }
		for j = 0, 64 do
			for i = 0, 64 do assert.equal(f:get(64 - i, 64 - j), f:get(i, j)) end
		end
	end)

	it("takes its seed from the field, another for a second time", function()
		local a, b = hills(1):erode { kind = "droplets" }, hills(1):erode { kind = "droplets" }
		assert.equal(bytes(a), bytes(b))
		assert.not_equal(bytes(a), bytes(hills(2):erode { kind = "droplets" }))
		local own = hills(1):erode { kind = "droplets", seed = 5 }
		assert.equal(bytes(own), bytes(hills(2):erode { kind = "droplets", seed = 5 }))
	end)

	it("leaves alone what a mask leaves out", function()
		local mask = mw.field { w = 65, h = 65, step = 8 }
		mask:map(function(_, x) return x < 200 and 0 or 1 end)
		local was, f = hills(), hills():erode { kind = "hydraulic", where = mask }
		assert.equal(was:get(10, 30), f:get(10, 30))
		assert.not_equal(was:get(50, 30), f:get(50, 30))
		assert.equal(0, mask:get(0, 0))
	end)

	it("refuses options of another kind", function()
		assert.equal("field:erode: unknown option 'rain' (known: kind, iterations, angle, rate, where)",
			refused(function() hills():erode { kind = "thermal", rain = 1 } end))
		assert.equal("field:erode: 'kind' must be one of 'thermal', 'hydraulic', 'droplets', "
			.. "got 'thermel' (did you mean 'thermal'?)",
			refused(function() hills():erode { kind = "thermel" } end))
		assert.matches("'kind' is required", refused(function() hills():erode {} end))
	end)
end)

describe("quantizing", function()
	it("follows the engine's formula", function()
		local bytes, report = mw.quantize { field = row(-160, 200, 560, 0), min_height = -160,
			max_height = 560 }
		assert.equal(string.pack("<I2I2I2I2", 0, 32768, 65535, 14564), bytes)
		assert.equal(0, report.below + report.above)
	end)

	it("clamps and counts what lies outside, and refuses what is not a number", function()
		core.log.drain()
		local f = row(0, 1 / 0, -1 / 0, 1e9, -0.0)
		local bytes, report = mw.quantize { field = f, min_height = -100, max_height = 100 }
		assert.equal(string.pack("<I2I2I2I2I2", 32768, 65535, 0, 65535, 32768), bytes)
		assert.same({ 1, 2 }, { report.below, report.above })
		local warning = core.log.drain()[1]
		assert.equal("height-clipped", warning.id)
		assert.matches("3 heights were clamped", warning.text)
		f:set(0, 0, 0 / 0)
		assert.matches("sample %(0, 0%) is not a number", refused(mw.quantize,
			{ field = f, min_height = -100, max_height = 100 }))
		assert.equal("quantize: 'max_height' = 1 is below 'min_height' = 2", refused(mw.quantize,
			{ field = f, min_height = 2, max_height = 1 }))
	end)

	it("decodes as the engine does", function()
		local f = core.quantize.decode_u16(string.pack("<I2I2", 0, 65535), 2, 1, -160, 560, 0, 0, 8)
		assert.equal(-160, f:get(0, 0))
		assert.is_true(math.abs(f:get(1, 0) - 559.98901) < 1e-4)
	end)

	it("makes bytes of cells or names the one that does not fit", function()
		assert.equal("\0\1\255", core.quantize.bytes(row(0.4, 0.5, 255.4), "types"))
		assert.matches("types: cell %(1, 0%) holds 256, which is outside 0%.%.255",
			refused(core.quantize.bytes, row(0, 256), "types"))
	end)
end)

describe("metal spots", function()
	local none = ("\0"):rep(64 * 64)

	it("give what was asked and say what neighbours add", function()
		local bytes, sites, overlaps = core.metal.domes(none, 64, 64, {
			{ x = 320, z = 320, radius = 48, metal = 1.8 },
			{ x = 384, z = 320, radius = 48, metal = 0.5 },
		}, 1.0, 90, "none")
		assert.is_true(math.abs(sites[1].alone - 1.8) < 1e-9)
		assert.is_true(math.abs(core.metal.yield(bytes, 64, 64, 320, 320, 90, 1.0) - sites[1].metal)
			< 1e-12)
		assert.same({ 1, 1, 2 }, { #overlaps, overlaps[1].a, overlaps[1].b })
		assert.is_true(overlaps[1].a_gets > 0)
	end)

	it("name the spot that asks too much", function()
		assert.matches("metal spot 1 at %(320, 320%): 9 metal needs a byte above 255",
			refused(core.metal.domes, none, 64, 64,
				{ { x = 320, z = 320, radius = 48, metal = 9 } }, 1.0, 90, "none"))
	end)
end)

describe("scattering", function()
	-- As much of a terrain as scattering looks at.
	local function land(w, d)
		local height = mw.field { w = w // 8 + 1, h = d // 8 + 1, value = 50 }
		return { width = w, depth = d, seed = 7, height = height, starts = { { x = 200, z = 200 } },
			spots = { { x = 800, z = 800 } }, vents = {}, slope = function() return height:slope() end }
	end
	local positions = require "mapwright.scatter".positions

	it("keeps every rule on both sides", function()
		local l = land(1024, 1024)
		l.height:stamp({ 512, 300 }, { radius = 100, level = -20, soften = 60 })
		local out = positions(l, { density = 1, spacing = 60, mirror = "point",
			avoid = { slope = 20, water = true, starts = 150, spots = 100, edge = 32 } })
		assert.is_true(#out > 50)
		local slope, seen = l:slope(), {}
		for i, p in ipairs(out) do
			assert.is_true(slope:at(p.x, p.z) <= 20 and l.height:at(p.x, p.z) >= 0)
			assert.is_true((p.x - 200) ^ 2 + (p.z - 200) ^ 2 >= 150 ^ 2)
			assert.is_true((p.x - 800) ^ 2 + (p.z - 800) ^ 2 >= 100 ^ 2)
			assert.is_true(p.x >= 32 and p.x <= 992 and p.z >= 32 and p.z <= 992)
			for j = 1, i - 1 do
				assert.is_true((p.x - out[j].x) ^ 2 + (p.z - out[j].z) ^ 2 >= 60 ^ 2)
			end
			seen[p.x .. " " .. p.z] = true
		end
		for _, p in ipairs(out) do assert.is_true(seen[1024 - p.x .. " " .. 1024 - p.z]) end
	end)

	it("draws equal calls differently and others the same", function()
		local function first(list) return list[1].x .. " " .. list[1].z end
		local a = land(1024, 1024)
		local one = first(positions(a, { density = 1, spacing = 60 }))
		local two = first(positions(a, { density = 1, spacing = 60 }))
		assert.not_equal(one, two)
		local b = land(1024, 1024)
		positions(b, { density = 1, spacing = 90 })
		assert.equal(one, first(positions(b, { density = 1, spacing = 60 })))
	end)

	it("takes numbers and fields as density, and warns when too few fit", function()
		core.log.drain()
		local half = mw.field { w = 2, h = 1, step = 1024 }
		half:set(0, 0, 1):set(1, 0, -1)
		for _, p in ipairs(positions(land(1024, 1024), { density = half, spacing = 30 })) do
			assert.is_true(p.x < 512)
		end
		assert.equal(0, #positions(land(512, 512), { density = 0, spacing = 30, count = 9 }))
		assert.equal("scatter: only 0 of 9 positions fit", core.log.drain()[1].text)
	end)
end)
