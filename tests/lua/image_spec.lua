local core = require "mapwright.core"
local mw = require "mapwright"
local picture = require "mapwright.util.picture"
local project = require "mapwright.project"
local run = require "run"

local function refused(f, ...)
	local ok, message = pcall(f, ...)
	assert.is_false(ok)
	return tostring(message)
end

describe("an image", function()
	local dir
	before_each(function()
		dir = run.folder()
		project.begin { root = dir }
		project.made = nil
	end)
	teardown(run.clean)

	it("is made, drawn on and asked for its pixels", function()
		local img = mw.image { w = 8, h = 4, color = "#ff8000" }
		assert.same({ 1, 128 / 255, 0, 1 }, img:get(7, 3))
		img:set(0, 0, { 0, 0, 1 }):rect(2, 1, 3, 2, "#00ff00"):disc(7.5, 0.5, 0.1, "#ffffff")
		assert.same({ 0, 0, 1, 1 }, img:get(0, 0))
		assert.same({ 0, 1, 0, 1 }, img:get(4, 2))
		assert.same({ 1, 128 / 255, 0, 1 }, img:get(5, 2))
		assert.same({ 1, 128 / 255, 0, 1 }, img:get(2, 3))
		assert.same({ 1, 1, 1, 1 }, img:get(7, 0))
		assert.same({ 8, 4, nil }, { img.w, img.h, img.bits })
	end)

	it("draws lines as wide as asked", function()
		local img = mw.image { w = 9, h = 9, bits = 8 }
		img:line(0, 4.5, 9, 4.5, 3, 200)
		local rows = {}
		for y = 0, 8 do rows[#rows + 1] = img:get(4, y) end
		assert.same({ 0, 0, 0, 200, 200, 200, 0, 0, 0 }, rows)
	end)

	it("keeps grey values as whole numbers", function()
		local img = mw.image { w = 3, h = 2, bits = 16, value = 1234 }
		assert.equal(1234, img:get(2, 1))
		img:map(function(x, y, v) if x ~= 1 then return v + 1000 * x + y end end)
		assert.same({ 1234, 1234, 3234, 1235, 1234, 3235 }, { img:get(0, 0), img:get(1, 0),
			img:get(2, 0), img:get(0, 1), img:get(1, 1), img:get(2, 1) })
		assert.matches("value.*65536 is outside", refused(img.set, img, 0, 0, 65536))
	end)

	it("is saved and read again by the same path", function()
		project.out_dir = dir .. "/out"
		mw.image({ w = 5, h = 3, bits = 16, value = 513 }):save "h.png"
		local back = mw.image "h.png"
		assert.same({ 5, 3, 16 }, { back.w, back.h, back.bits })
		assert.equal(513, back:get(4, 2))
		assert.is_true(run.exists(dir .. "/out/h.png"))
		assert.is_false(run.exists(dir .. "/h.png"))
	end)

	it("names the nearest method and the allowed options", function()
		local img = mw.image { w = 1, h = 1 }
		assert.matches("image: no field or method 'fil' %(did you mean 'fill'%?%)",
			refused(function() return img.fil end))
		assert.matches("image: 'w' is required", refused(mw.image, { h = 2 }))
		assert.matches("'bits' must be 8 or 16, got 12", refused(mw.image, { w = 1, h = 1, bits = 12 }))
		assert.matches("must end in .png", refused(img.save, img, "x.jpg"))
	end)

	it("says which file is damaged", function()
		run.write(dir .. "/bad.png", "\x89PNG\r\n\x1a\nxxxx")
		assert.matches("bad%.png", refused(mw.image, "bad.png"))
		run.write(dir .. "/no.png", "plain text")
		assert.matches("no%.png.*not a PNG, JPEG, TGA or BMP", refused(mw.image, "no.png"))
		assert.matches("absent%.png", refused(mw.image, "absent.png"))
	end)

	it("becomes tileable: opposite edges differ no more than neighbours do", function()
		local img = mw.image { w = 32, h = 32 }
		img:map(function(x, y) return { x / 31, y / 31, 0 } end)
		local out = img:tileable()
		for i = 0, 31 do
			assert.is_true(math.abs(out:get(0, i)[1] - out:get(31, i)[1]) < 0.08)
			assert.is_true(math.abs(out:get(i, 0)[2] - out:get(i, 31)[2]) < 0.08)
		end
		assert.is_true(math.abs(img:get(0, 5)[1] - img:get(31, 5)[1]) > 0.9)
		assert.same(img:get(16, 16), out:get(16, 16))
	end)

	it("is resampled", function()
		local img = mw.image { w = 2, h = 2, bits = 8 }
		img:set(0, 0, 100):set(1, 1, 200)
		assert.equal(75, img:resize({ w = 1, h = 1 }):get(0, 0))
		assert.equal(200, img:resize({ w = 4, h = 4, filter = "nearest" }):get(2, 3))
	end)
end)

describe("an image and a field", function()
	local f
	before_each(function()
		f = core.field.new(3, 1, 0, 0, 8, 1)
		for i, v in ipairs { -100, 25, 150 } do core.field.put(f, i - 1, 0, v) end
	end)

	local function values(img)
		return { img:get(0, 0), img:get(1, 0), img:get(2, 0) }
	end

	it("are made of each other", function()
		assert.same({ 0, 32768, 65535 }, values(mw.image.from_field(f)))
		assert.same({ 0, 128, 255 }, values(mw.image.from_field(f, { bits = 8 })))
		assert.same({ 0, 16384, 65535 }, values(mw.image.from_field(f, { min = 0, max = 100 })))
		local back = mw.image.from_field(f):to_field { min = -100, max = 150 }
		assert.same({ -100, 150 }, { core.field.get(back, 0, 0), core.field.get(back, 2, 0) })
		assert.near(25, core.field.get(back, 1, 0), 0.002)
	end)

	it("are coloured by a ramp", function()
		local img = mw.image.from_field(f, { ramp = { { 0, "#000000" }, { 100, "#ff8000" } } })
		assert.same({ { 0, 0, 0, 1 }, { 64 / 255, 32 / 255, 0, 1 }, { 1, 128 / 255, 0, 1 } },
			values(img))
		assert.matches("'ramp'%[2%] must be above the value before it", refused(
			mw.image.from_field, f, { ramp = { { 1, "#000000" }, { 1, "#ffffff" } } }))
	end)
end)

describe("a grid from a picture", function()
	local dir
	before_each(function()
		dir = run.folder()
		project.begin { root = dir }
	end)
	teardown(run.clean)

	it("is taken byte for byte", function()
		local img = mw.image { w = 4, h = 2, bits = 8 }
		img:map(function(x, y) return 10 * x + y end)
		assert.equal("\0\10\20\30\1\11\21\31", picture.bytes_of("metal picture", img, 4, 2))
	end)

	it("is refused in another size, with both sizes said", function()
		local img = mw.image { w = 32, h = 32, bits = 8, value = 7 }
		assert.matches("the metal picture is 32x32, this map needs 64x64",
			refused(picture.bytes_of, "metal picture", img, 64, 64))
		assert.equal(("\7"):rep(64 * 64), picture.bytes_of("metal picture", img, 64, 64, true))
	end)

	it("is refused in colour, but not for its file's three channels", function()
		local img = mw.image { w = 2, h = 2, color = "#808080" }
		assert.equal("\128\128\128\128", picture.bytes_of("type picture", img, 2, 2))
		img:set(1, 1, "#ff0000")
		assert.matches("must be grey, but red 255, green 0 and blue 0 differ at pixel %(1, 1%)",
			refused(picture.bytes_of, "type picture", img, 2, 2))
	end)

	it("gives heights of 16 bits", function()
		local img = mw.image { w = 2, h = 1, bits = 8, value = 128 }
		local heights = picture.heights_of(img, 2, 1)
		assert.equal("\x80\x80\x80\x80", core.image.words(heights))
		assert.equal(128, img:get(0, 0))
	end)

	it("reads raw samples of either byte order", function()
		run.write(dir .. "/h.r16", "\1\2\3\4\5\6\7\8")
		assert.equal(0x0201, mw.image.raw("h.r16"):get(0, 0))
		assert.equal(0x0708, mw.image.raw("h.r16", { w = 4, h = 1, big_endian = true }):get(3, 0))
		assert.matches("needs 6 bytes, file has 8", refused(mw.image.raw, "h.r16", { w = 3, h = 1 }))
		assert.matches("give both 'w' and 'h'", refused(mw.image.raw, "h.r16", { w = 3 }))
	end)
end)
