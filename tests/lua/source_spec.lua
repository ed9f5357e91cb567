local core = require "mapwright.core"
local mw = require "mapwright"

local function refused(f, ...)
	local ok, message = pcall(f, ...)
	assert.is_false(ok)
	return tostring(message)
end

-- A field of w x h samples and its values as a flat list.
local function sampled(source, w, h, step, x, z, seed)
	local f = core.field.new(w, h, x or 0, z or 0, step or 8, seed or 0)
	core.source.eval(source, f)
	local out = {}
	for j = 0, h - 1 do
		for i = 0, w - 1 do out[#out + 1] = core.field.get(f, i, j) end
	end
	return out, f
end

local function near(want, got, by)
	assert.is_true(math.abs(want - got) <= (by or 1e-5 * math.max(1, math.abs(want))),
		("wanted %s, got %s"):format(want, got))
end

describe("a source", function()
	local x, z = mw.source.x(), mw.source.z()

	it("is arithmetic between sources and numbers", function()
		local s = (x + 1) * 2 - z / 4 + -x ^ 2
		assert.equal((10 + 1) * 2 - 20 / 4 - 100, s:at(10, 20))
		assert.equal(7 - 10, (7 - x):at(10, 0))
		assert.equal(1024, (2 ^ x):at(10, 0))
		assert.equal(0.5, (5 / x):at(10, 0))
		assert.equal("source", tostring(s))
	end)

	it("has methods for what has no sign", function()
		assert.equal(3, x:min(3):at(10, 0))
		assert.equal(20, x:max(z):at(10, 20))
		assert.equal(4, (-x):abs():sqrt():at(16, 0))
		assert.equal(-3, x:floor():at(-2.5, 0))
		assert.equal(5, x:clamp(0, 5):at(10, 0))
		assert.equal(10 + 0.25 * 90, x:lerp(100, 0.25):at(10, 0))
		assert.equal(0.5, x:smoothstep(0, 20):at(10, 0))
		assert.equal(0.15625, x:smoothstep(20, 0):at(15, 0))
		assert.equal(1, x:step(10):at(10, 0))
		assert.equal(0, x:step(10):at(9, 0))
		assert.equal(7, (x - z):select(7, 9):at(2, 1))
		assert.equal(9, (x - z):select(7, 9):at(1, 1))
	end)

	it("goes through a curve or up terraces", function()
		local curve = { { 0, 0 }, { 10, 100 }, { 20, 50 } }
		assert.equal(40, x:curve(curve):at(4, 0))
		assert.equal(50, x:curve(curve):at(400, 0))
		near(50, x:curve { { 0, 0 }, { 10, 100 }, smooth = true }:at(5, 0))
		assert.equal(40, x:terrace(40):at(67, 0))
		near(60, x:terrace(40):at(74, 0), 1e-3) -- half way up the last 0.3
		assert.equal(50, x:terrace { step = 40, offset = 10, soften = 0 }:at(79, 0))
		local steps = x:terrace { levels = { 0, 60, 90 }, soften = 0.5 }
		for at, want in next, { [-5] = 0, [0] = 0, [29] = 0, [45] = 30, [60] = 60, [74] = 60,
			[90] = 90, [500] = 90 } do
			near(want, steps:at(at, 0), 1e-3)
		end
		local cliffs = x:terrace { levels = { 0, 60, 90 }, soften = 0 }
		near(0, cliffs:at(59.9, 0), 1e-3)
		near(60, cliffs:at(60, 0), 1e-3)
	end)

	it("is read elsewhere when moved, turned, stretched or warped", function()
		local s = x + z * 1000
		assert.equal(5 + 22 * 1000, s:translate(5, -2):at(10, 20))
		near(5 + 10 * 1000, s:scale(2):at(10, 20), 0.01)
		near(5 + 5 * 1000, s:scale(2, 4):at(10, 20), 0.01)
		-- A quarter turn clockwise brings what was north to the east.
		local north = mw.source.distance { points = { { 0, -100 } } }
		near(0, north:rotate(90):at(100, 0), 1e-3)
		near(0, north:rotate(90, { at = { 0, -50 } }):at(50, -50), 1e-3)
		assert.equal(13 + 20000, s:warp { x = 3 }:at(10, 20))
		assert.equal(10 + 21 * 1000, s:warp { z = x / 10 }:at(10, 20))
		local d = (x:warp { amplitude = 60 } - x):at(500, 700)
		assert.is_true(d ~= 0 and math.abs(d) <= 60)
	end)

	it("is mirrored about a place, or about the map it fills", function()
		assert.equal(90, x:mirror("x", { at = { 100, 0 } }):at(110, 5))
		assert.same({ 0, 8, 16, 8, 0 }, (sampled(x:mirror "x", 5, 1)))
		local noise = mw.noise.gradient { period = 50, octaves = 3, seed = 3 }
		local v = sampled(noise:mirror "point", 9, 9)
		local differ = 0
		for k = 1, 81 do
			assert.equal(v[k], v[82 - k])
			if v[k] ~= v[1] then differ = differ + 1 end
		end
		assert.is_true(differ > 60)
		-- Blended over the seam, the middle row is the mean of both halves.
		v = sampled(x:mirror("point", { soften = 20 }), 9, 9)
		for i = 1, 9 do near(32, v[4 * 9 + i]) end
		v = sampled(noise:mirror { n = 4 }, 9, 9)
		for j = 0, 8 do
			for i = 0, 8 do assert.equal(v[j * 9 + i + 1], v[i * 9 + (8 - j) + 1]) end
		end
	end)

	it("takes fields as they are at that moment", function()
		local f = core.field.new(3, 2, 100, 200, 10, 0)
		core.field.put(f, 1, 0, 8)
		local s = mw.source.of(f) * 2
		core.field.put(f, 1, 0, 99)
		assert.equal(16, s:at(110, 200))
		assert.equal(8, s:at(105, 200))
		assert.equal(4, s:at(105, 205))
		assert.equal(110 + 99, (x + f):at(110, -7))
		assert.equal(99, mw.source.field(f, { filter = "nearest" }):at(106, 200))
		assert.equal(0, mw.source.field(f, { filter = "nearest", edge = "wrap" }):at(134, 200))
	end)

	it("names the line and what was wrong", function()
		assert.matches("^.-source_spec.lua:%d+: source: no method 'clmp' %(did you mean 'clamp'%?%)",
			refused(function() return x.clmp end))
		assert.matches("mw.source.xx does not exist", refused(function() return mw.source.xx end))
		assert.matches("operator '%+'.*must be a source or a field or an image or a number, got {}$",
			refused(function() return x + {} end))
		assert.matches("source:clamp: 'low' = 5 is above 'high' = 2", refused(x.clamp, x, 5, 2))
		assert.matches("point 2 is at 3, which does not rise above 3",
			refused(x.curve, x, { { 3, 1 }, { 3, 2 } }))
		assert.matches("source:curve: unknown option 'smoth'",
			refused(x.curve, x, { { 3, 1 }, smoth = true }))
		assert.matches("give 'step' or 'levels'", refused(x.terrace, x, {}))
		assert.matches("level 2, 5, does not rise above 5",
			refused(x.terrace, x, { levels = { 5, 5 } }))
		assert.matches("needs 'x', 'z' or 'amplitude'", refused(x.warp, x, {}))
		assert.matches("'mirror' must be one of", refused(x.mirror, x, "y"))
		assert.matches("'x' = 0 is too near to 0", refused(x.scale, x, 0))
	end)

	it("refuses to grow without end", function()
		local s = x
		local message = refused(function()
			for _ = 1, 2000 do s = s + 1 end
		end)
		assert.matches("more than 1000 operations inside each other", message)
		s = x + z
		for _ = 1, 40 do s = s:warp { x = s, z = s } end
		assert.matches("the expression has more than", refused(s.at, s, 0, 0))
	end)

	it("computes what is the same once", function()
		local n = mw.noise.gradient { period = 90, octaves = 4, seed = 1 }
		local s = n
		for _ = 1, 20 do s = s + s end
		assert.equal(21, core.source.length(s))
		assert.equal(2, core.source.length(n
			+ mw.noise.gradient { period = 90, octaves = 4, seed = 1 }))
	end)
end)

describe("a shape", function()
	it("is the distance to points, lines and areas", function()
		local d = mw.source.distance
		assert.equal(5, d { points = { { 3, 4 }, { 300, 4 } } }:at(0, 0))
		assert.equal(2, d { line = { { x = 0, z = 0 }, { x = 10, z = 0 } } }:at(5, -2))
		local square = d { polygon = { { 0, 0 }, { 10, 0 }, { 10, 10 }, { 0, 10 } } }
		assert.equal(-4, square:at(5, 4))
		assert.equal(5, square:at(13, 14))
		assert.matches("give 'points' or 'line', not both",
			refused(d, { points = { { 0, 0 } }, line = { { 0, 0 }, { 1, 1 } } }))
		assert.matches("'polygon' needs at least 3 positions, got 2",
			refused(d, { polygon = { { 0, 0 }, { 1, 1 } } }))
		assert.matches("needs 'points', 'line' or 'polygon'", refused(d, {}))
	end)

	it("is a gradient along a line or about a place", function()
		local g = mw.source.gradient { from = { 100, 0 }, to = { 300, 0 } }
		near(0, g:at(0, 50))
		near(0.25, g:at(150, 999))
		near(1, g:at(1000, 0))
		g = mw.source.gradient { from = { 0, 0 }, to = { 30, 40 } }
		near(0.5, g:at(15, 20))
		near(0.5, g:at(15 + 40, 20 - 30))
		local r = mw.source.radial { at = { 10, 10 }, radius = 100 }
		near(0, r:at(10, 10))
		near(0.5, r:at(40, 50))
		near(1, r:at(1000, 0))
		assert.matches("the same place", refused(mw.source.gradient,
			{ from = { 1, 2 }, to = { 1, 2 } }))
	end)

	it("is a picture over the map or over a box", function()
		local img = mw.image { w = 4, h = 2, bits = 8 }
		img:set(1, 0, 255)
		img:set(3, 1, 51)
		-- Corners 0..32 by 0..16: pixels are 8 elmos wide, with middles at 4, 12, 20, 28.
		local v = sampled(mw.source.image { image = img }, 4, 2, 8, 4, 4)
		assert.same({ 0, 1, 0, 0, 0, 0, 0 }, { table.unpack(v, 1, 7) })
		near(0.2, v[8])
		assert.equal(0.5, sampled(mw.source.of(img), 5, 3)[2])
		local s = mw.source.image { image = img, min = { 100, 100 }, max = { 500, 300 } }
		assert.equal(1, s:at(250, 150))
		near(0.2, s:at(450, 250))
		assert.equal(0.5, s:at(200, 150))
		local tiles = mw.source.image { image = img, min = { 0, 0 }, max = { 4, 2 }, edge = "wrap",
			filter = "nearest" }
		assert.equal(1, tiles:at(1.5 + 4 * 25, 0.5 - 2 * 7))
		local colour = mw.image { w = 2, h = 2, color = { 1, 0.2, 0 } }
		local box = { image = colour, min = { 0, 0 }, max = { 2, 2 }, channel = "green" }
		near(0.2, mw.source.image(box):at(1, 1))
		box.channel = "grey"
		near(0.2126 + 0.7152 * 0.2, mw.source.image(box):at(1, 1))
		assert.matches("no channel 'red'", refused(mw.source.image, { image = img, channel = "red" }))
		assert.matches("both 'min' and 'max'", refused(mw.source.image, { image = img, min = { 0, 0 } }))
		assert.matches("south%-east", refused(mw.source.image,
			{ image = img, min = { 5, 5 }, max = { 5, 9 } }))
	end)
end)

describe("noise", function()
	local function range(source)
		local low, high = math.huge, -math.huge
		for _, v in ipairs(sampled(source, 200, 200, 31)) do
			low, high = math.min(low, v), math.max(high, v)
		end
		return low, high
	end

	it("keeps to its amplitude", function()
		local o = { period = 300, octaves = 5, amplitude = 260, seed = 4 }
		for _, kind in ipairs { "gradient", "value" } do
			local low, high = range(mw.noise[kind](o))
			assert.is_true(low < -100 and low >= -260.01)
			assert.is_true(high > 100 and high <= 260.01)
		end
		for _, kind in ipairs { "ridged", "billow" } do
			local low, high = range(mw.noise[kind](o))
			assert.is_true(low >= 0 and high > 150 and high <= 260.01)
		end
		local low, high = range(mw.noise.cellular { period = 300, amplitude = 10, seed = 4 })
		assert.is_true(low >= 0 and low < 1 and high > 7 and high <= 15)
		low = range(mw.noise.cellular { period = 300, distance = "f2-f1" })
		assert.is_true(low >= 0 and low < 0.05)
	end)

	it("takes a missing seed from the field it fills, its kind and its name", function()
		local function at(source, seed) return sampled(source, 1, 1, 8, 777, 333, seed)[1] end
		local plain = mw.noise.gradient { period = 100 }
		assert.equal(at(plain, 5), at(mw.noise.gradient { period = 100 }, 5))
		assert.not_equal(at(plain, 5), at(plain, 6))
		local named = mw.noise.gradient { period = 100, name = "dunes" }
		assert.not_equal(at(plain, 5), at(named, 5))
		local seeded = mw.noise.gradient { period = 100, seed = 9 }
		assert.equal(at(seeded, 5), at(seeded, 6))
		assert.equal(at(plain, 5), plain:at(777, 333, 5))
	end)

	it("warps both ways independently without being told so", function()
		local n = mw.noise.gradient { period = 100, amplitude = 50 }
		local x, z = mw.source.x(), mw.source.z()
		local a = sampled(x:warp { x = n, z = n } - x, 20, 20, 31)
		local b = sampled(z:warp { x = n, z = n } - z, 20, 20, 31)
		local same = 0
		for k = 1, 400 do
			if math.abs(a[k] - b[k]) < 0.5 then same = same + 1 end
		end
		assert.is_true(same < 60)
	end)

	it("refuses options out of range", function()
		assert.matches("noise.gradient: 'period' is required", refused(mw.noise.gradient, {}))
		assert.matches("noise.ridged: 'octaves' = 40 is outside 1..16",
			refused(mw.noise.ridged, { period = 5, octaves = 40 }))
		assert.matches("unknown option 'perod' %(did you mean 'period'%?%)",
			refused(mw.noise.value, { perod = 5 }))
		assert.matches("'distance' must be one of 'f1', 'f2', 'f2%-f1', 'cell'",
			refused(mw.noise.cellular, { period = 5, distance = "f3" }))
		assert.matches("mw.noise.perlin does not exist", refused(function()
			return mw.noise.perlin
		end))
	end)
end)
