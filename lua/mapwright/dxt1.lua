--- DXT1 (BC1) pictures: blocks of 4x4 pixels in 8 bytes, the form in which a map holds its ground.
--- The encoder writes four-colour blocks only; the decoder is exact: 5 and 6 bits are widened by
--- repeating their upper bits, colours between are thirds, rounded.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local opts = require "mapwright.opts"
local schema = require "mapwright.schema.dxt1"

local raw = core.dxt1
local M = {}

-- The image as colour, with sides that blocks can cover.
local function coloured(image, what)
	local w, h = core.image.info(image)
	if w % 4 ~= 0 or h % 4 ~= 0 then
		errors.fail("%s: the image is %dx%d, both sides must be multiples of 4", what, w, h)
	end
	return core.image.to_colour(image), w, h
end

local function check_length(bytes, w, h, what)
	local need = w * h // 2
	if #bytes ~= need then
		errors.fail("%s: 'bytes' has %d bytes, %dx%d pixels are %d", what, #bytes, w, h, need)
	end
end

--- Encode a picture, blocks row by row. Alpha is left out.
---@param options {image: mapwright.image, level?: "fast"|"normal"|"best"}
---@return string bytes half a byte a pixel
function M.encode(options)
	local o = opts.check(schema.encode, options)
	return raw.encode(coloured(o.image, "dxt1.encode"), o.level)
end

--- Decode blocks of either kind; what a three-colour block calls transparent has alpha 0.
---@param options {bytes: string, w: integer, h: integer}
---@return mapwright.image
function M.decode(options)
	local o = opts.check(schema.decode, options)
	for _, side in ipairs { "w", "h" } do
		if o[side] % 4 ~= 0 then
			errors.fail("dxt1.decode: '%s' = %d is not a multiple of 4", side, o[side])
		end
	end
	check_length(o.bytes, o.w, o.h, "dxt1.decode")
	return raw.decode(o.bytes, o.w, o.h)
end

--- How far encoded bytes are from the picture: the sum over all pixels of the squared differences
--- of red, green and blue, and the same as a peak signal-to-noise ratio.
---@param options {image: mapwright.image, bytes: string}
---@return integer sum
---@return number psnr in dB; math.huge where nothing differs
function M.error(options)
	local o = opts.check(schema.error, options)
	local image, w, h = coloured(o.image, "dxt1.error")
	check_length(o.bytes, w, h, "dxt1.error")
	return raw.error(image, o.bytes)
end

return M
