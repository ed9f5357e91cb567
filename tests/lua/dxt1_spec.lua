local mw = require "mapwright"

local function refused(f, ...)
	local ok, message = pcall(f, ...)
	assert.is_false(ok)
	return tostring(message)
end

-- A picture with grain, ramps and an edge.
local function picture()
	local img = mw.image { w = 32, h = 16, color = "#406080" }
	img:map(function(x, y, c)
		local grain = (x * 7 + y * 13) % 11 / 40
		return { c[1] + grain, c[2] + x / 100, x < 17 and c[3] or 0.9 - grain, 1 }
	end)
	return img
end

describe("dxt1", function()
	it("encodes one colour as a block by hand", function()
		-- white: both words 0xffff, all indices 0
		local white = mw.image { w = 4, h = 4, color = "#ffffff" }
		assert.equal("\xff\xff\xff\xff\0\0\0\0", mw.dxt1.encode { image = white })
	end)

	it("decodes four and three colours", function()
		-- 0xf800 red, 0x001f blue; first row 0 1 2 3, the others 0
		local img = mw.dxt1.decode { bytes = "\x00\xf8\x1f\x00\xe4\0\0\0", w = 4, h = 4 }
		assert.same({ 4, 4 }, { img.w, img.h })
		assert.same({ 1, 0, 0, 1 }, img:get(0, 0))
		assert.same({ 0, 0, 1, 1 }, img:get(1, 0))
		assert.same({ 170 / 255, 0, 85 / 255, 1 }, img:get(2, 0))
		assert.same({ 85 / 255, 0, 170 / 255, 1 }, img:get(3, 0))
		assert.same({ 1, 0, 0, 1 }, img:get(3, 3))
		img = mw.dxt1.decode { bytes = "\x1f\x00\x00\xf8\xe4\0\0\0", w = 4, h = 4 }
		assert.same({ 127 / 255, 0, 127 / 255, 1 }, img:get(2, 0))
		assert.same({ 0, 0, 0, 0 }, img:get(3, 0))
	end)

	it("measures what the blocks lose", function()
		local img = mw.image { w = 4, h = 4, color = "#ffffff" }
		local bytes = mw.dxt1.encode { image = img }
		assert.same({ 0, math.huge }, { mw.dxt1.error { image = img, bytes = bytes } })
		img:set(1, 2, { 245 / 255, 1, 252 / 255 })
		local sum, psnr = mw.dxt1.error { image = img, bytes = bytes }
		assert.equal(109, sum) -- 10^2 + 3^2
		assert.near(10 * math.log(255 ^ 2 * 48 / 109, 10), psnr, 1e-9)
	end)

	it("loses less at each level", function()
		local img, last = picture(), math.huge
		for _, level in ipairs { "fast", "normal", "best" } do
			local bytes = mw.dxt1.encode { image = img, level = level }
			assert.equal(32 * 16 / 2, #bytes)
			local sum = mw.dxt1.error { image = img, bytes = bytes }
			assert.is_true(sum <= last)
			last = sum
		end
		assert.equal(mw.dxt1.encode { image = img },
			mw.dxt1.encode { image = img, level = "normal" })
	end)

	it("takes grey pictures", function()
		local grey = mw.image { w = 8, h = 4, bits = 8, value = 128 }
		local back = mw.dxt1.decode { bytes = mw.dxt1.encode { image = grey }, w = 8, h = 4 }
		for _, v in ipairs { table.unpack(back:get(7, 3), 1, 3) } do
			assert.is_true(math.abs(v * 255 - 128) <= 1.001)
		end
	end)

	it("refuses sizes and bytes that do not fit", function()
		local img = mw.image { w = 6, h = 4 }
		assert.matches("dxt1_spec.lua:%d+: dxt1.encode: the image is 6x4",
			refused(mw.dxt1.encode, { image = img }))
		assert.matches("'level' must be one of",
			refused(mw.dxt1.encode, { image = picture(), level = "slow" }))
		assert.matches("'image' is required", refused(mw.dxt1.encode, {}))
		assert.matches("'w' = 6 is not a multiple of 4",
			refused(mw.dxt1.decode, { bytes = "", w = 6, h = 4 }))
		assert.matches("'bytes' has 7 bytes, 4x4 pixels are 8",
			refused(mw.dxt1.decode, { bytes = "1234567", w = 4, h = 4 }))
		assert.matches("'bytes' has 0 bytes, 32x16 pixels are 256",
			refused(mw.dxt1.error, { image = picture(), bytes = "" }))
	end)
end)
