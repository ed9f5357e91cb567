--- Pictures: read, make, draw on, save. Pixels count from 0 and (0, 0) is the north-west corner.
--- A picture is either colour (r, g, b, a in 0..1) or grey (whole numbers up to 255 or 65535, with
--- the exact values of the file).
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local opts = require "mapwright.opts"
local picture = require "mapwright.util.picture"
local project = require "mapwright.project"
local schema = require "mapwright.schema.image"

local raw = core.image
local class = raw.class

---@class mapwright.image
---@field w integer width [unit: px]
---@field h integer height [unit: px]
---@field bits integer? 8 or 16 for a grey image, nil for a colour one
local methods = {}
require "mapwright.util.classes".image = methods

local readable = { w = 1, h = 2, bits = 3 }

function class.__index(self, name)
	local method = methods[name]
	if method ~= nil then return method end
	local k = readable[name]
	if k then return (select(k, raw.info(self))) end
	local names = {}
	for known in next, methods do names[known] = true end
	for known in next, readable do names[known] = true end
	errors.fail("image: no field or method '%s'%s", tostring(name),
		require "mapwright.util.suggest" (name, names))
end

class.__tostring = function(self)
	local w, h, bits = raw.info(self)
	return ("image %dx%d %s"):format(w, h, bits and "grey, " .. bits .. " bits" or "colour")
end

local function bits_of(o, what)
	if o.bits and o.bits ~= 8 and o.bits ~= 16 then
		errors.fail("%s: 'bits' must be 8 or 16, got %d", what, o.bits)
	end
	return o.bits
end

-- The colour or value a drawing method was given, as arguments for the core.
local function ink(self, v, what)
	local _, _, bits = raw.info(self)
	if bits then
		local top = bits == 16 and 65535 or 255
		return opts.value({ name = "value", type = "integer", min = 0, max = top }, v, what)
	end
	if type(v) == "table" and #v == 4 then
		local a = opts.value({ name = "alpha", type = "number", min = 0, max = 1 }, v[4], what)
		local c = opts.value({ name = "color", type = "color" }, { v[1], v[2], v[3] }, what)
		return c[1], c[2], c[3], a
	end
	local c = opts.value({ name = "color", type = "color" }, v, what)
	return c[1], c[2], c[3]
end

--- The colour {r, g, b, a} or grey value of a pixel.
---@param x integer
---@param y integer
function methods:get(x, y)
	local r, g, b, a = raw.get(self, x, y)
	if g == nil then return r end
	return { r, g, b, a }
end

--- Set one pixel.
---@param x integer
---@param y integer
---@param color string|number[]|integer a colour, or a whole number for a grey image
---@return mapwright.image self
function methods:set(x, y, color)
	raw.set(self, x, y, ink(self, color, "image:set"))
	return self
end

--- Set all pixels.
---@return mapwright.image self
function methods:fill(color)
	local w, h = raw.info(self)
	raw.rect(self, 0, 0, w, h, ink(self, color, "image:fill"))
	return self
end

--- Fill the pixels whose centres are in a rectangle.
---@return mapwright.image self
function methods:rect(x, y, w, h, color)
	raw.rect(self, x, y, w, h, ink(self, color, "image:rect"))
	return self
end

--- Fill the pixels whose centres are within `radius` of (x, y).
---@return mapwright.image self
function methods:disc(x, y, radius, color)
	raw.line(self, x, y, x, y, radius, ink(self, color, "image:disc"))
	return self
end

--- Fill the pixels whose centres are within width / 2 of a line.
---@return mapwright.image self
function methods:line(x0, y0, x1, y1, width, color)
	raw.line(self, x0, y0, x1, y1, width / 2, ink(self, color, "image:line"))
	return self
end

--- Copy another image of the same kind onto this one, its corner at (x, y).
---@return mapwright.image self
function methods:blit(from, x, y)
	opts.value({ type = "image" }, from, "image:blit")
	raw.blit(self, from, x, y)
	return self
end

--- Give every pixel a new colour or value: f(x, y, value) for grey, f(x, y, {r, g, b, a}) for
--- colour; nil keeps the old one. For small pictures: a Lua call for each pixel.
---@return mapwright.image self
function methods:map(f)
	opts.value({ type = "function" }, f, "image:map")
	local _, _, bits = raw.info(self)
	raw.map(self, function(x, y, r, g, b, a)
		local out
		if bits then out = f(x, y, r) else out = f(x, y, { r, g, b, a }) end
		if out ~= nil then return ink(self, out, "image:map") end
	end)
	return self
end

--- A copy.
---@return mapwright.image
function methods:copy()
	return raw.copy(self)
end

--- A copy of another size.
---@param options {w: integer, h: integer, filter?: "smooth"|"nearest"}
---@return mapwright.image
function methods:resize(options)
	local o = opts.check(schema.resize, options)
	return raw.resize(self, o.w, o.h, o.filter)
end

--- A colour copy whose opposite edges fit together, so that it can be repeated.
---@param options? {border?: number}
---@return mapwright.image
function methods:tileable(options)
	local o = opts.check(schema.tileable, options)
	return raw.tileable(raw.to_colour(self), o.border)
end

--- A grey copy; refused where red, green and blue differ.
---@return mapwright.image
function methods:grey()
	return raw.to_grey(self, picture.label(self))
end

--- A field with one sample a pixel.
---@param options? {min?: number, max?: number, channel?: string}
function methods:to_field(options)
	local o = opts.check(schema.to_field, options)
	local _, _, bits = raw.info(self)
	local channels = { red = 0, green = 1, blue = 2, alpha = 3, brightness = -1 }
	local top = bits == 16 and 65535 or 255
	return raw.to_field(self, channels[o.channel], (o.max - o.min) / top, o.min)
end

--- Write a PNG. Other parts of the script may read it again by the same path.
---@param path string where outputs go: -o, or the script's folder
---@param options? {level?: integer}
---@return mapwright.image self
function methods:save(path, options)
	local o = opts.check(schema.save, options)
	opts.value({ name = "path", type = "string" }, path, "image:save")
	if not path:lower():match "%.png$" then
		errors.fail("image:save: '%s' must end in .png", path)
	end
	local full = project.output(path)
	core.fs.sweep(full)
	core.fs.write(full, raw.encode(self, o.level))
	picture.made(path, full)
	return self
end

-- ---- mw.image ----

local image = {}

--- A picture file: PNG, JPEG, TGA or BMP. Grey files keep their exact values.
---@param path string
---@return mapwright.image
local function open(path)
	local bytes, full = picture.read(path, "image")
	return picture.note(raw.decode(bytes, full), full)
end

--- Headerless 16-bit samples (.r16, .raw).
---@param path string
---@param options? {w?: integer, h?: integer, big_endian?: boolean}
---@return mapwright.image
function image.raw(path, options)
	local o = opts.check(schema.raw, options)
	if (o.w == nil) ~= (o.h == nil) then
		errors.fail("image.raw: give both 'w' and 'h', or neither for a square")
	end
	local bytes, full = picture.read(path, "image.raw")
	return picture.note(raw.raw(bytes, o.w or 0, o.h or 0, o.big_endian, full), full)
end

--- A picture made of a field's samples: grey, or coloured by a ramp.
---@param field mapwright.field
---@param options? {min?: number, max?: number, bits?: integer, ramp?: table}
---@return mapwright.image
function image.from_field(field, options)
	local o = opts.check(schema.from_field, options)
	opts.value({ type = "field" }, field, "image.from_field")
	if o.ramp then
		local flat = {}
		for i, stop in ipairs(o.ramp) do
			if type(stop) ~= "table" or type(stop[1]) ~= "number" then
				errors.fail("image.from_field: 'ramp'[%d] must be {value, color}", i)
			end
			local c = opts.value({ name = ("ramp[%d]"):format(i), type = "color" }, stop[2],
				"image.from_field")
			if i > 1 and stop[1] <= flat[#flat - 3] then
				errors.fail("image.from_field: 'ramp'[%d] must be above the value before it", i)
			end
			table.move({ stop[1], c[1], c[2], c[3] }, 1, 4, #flat + 1, flat)
		end
		if #flat == 0 then errors.fail("image.from_field: 'ramp' must have a stop") end
		return raw.ramp(field, flat)
	end
	bits_of(o, "image.from_field")
	local lo, hi = o.min, o.max
	if not (lo and hi) then
		local least, most = raw.range(field)
		lo, hi = lo or least, hi or most
	end
	if lo == hi then hi = lo + 1 end
	return raw.from_field(field, lo, hi, o.bits)
end

require "mapwright.util.guard" (methods, "mapwright.image", class)

return setmetatable(image, {
	--- A picture: mw.image "file.png" reads one, mw.image{ w = , h = } makes one.
	__call = function(_, given)
		if type(given) == "string" then return open(given) end
		local o = opts.check(schema.new, given)
		local bits = bits_of(o, "image")
		if bits and o.color then errors.fail("image: 'color' and 'bits' exclude each other") end
		if o.value and not bits then errors.fail("image: 'value' needs 'bits'") end
		local img = raw.new(o.w, o.h, bits)
		if bits then
			if o.value then img:fill(o.value) end
		else
			img:fill(o.color or { 0, 0, 0 })
		end
		return img
	end,
})
