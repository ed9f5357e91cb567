--- Kind and size of a picture from its first bytes: PNG, TGA, BMP, DDS, JPEG.
local M = {}

local function dds(b)
	if #b < 128 then return nil, "a cut .dds header" end
	local h, w = ("<I4I4"):unpack(b, 13)
	local levels = ("<I4"):unpack(b, 29)
	return { kind = "dds", w = w, h = h, levels = levels, fourcc = b:sub(85, 88) }
end

local function bmp(b)
	if #b < 26 then return nil, "a cut .bmp header" end
	local w, h = ("<i4i4"):unpack(b, 19)
	return { kind = "bmp", w = w, h = math.abs(h) }
end

local function tga(b)
	if #b < 18 then return nil, "a cut .tga header" end
	local w, h, bits = ("<I2I2I1"):unpack(b, 13)
	local kind = b:byte(3)
	if w == 0 or h == 0 or not (kind == 1 or kind == 2 or kind == 3 or kind == 9 or kind == 10
		or kind == 11) or not (bits == 8 or bits == 15 or bits == 16 or bits == 24 or bits == 32) then
		return nil, "no .tga"
	end
	return { kind = "tga", w = w, h = h, bits = bits }
end

local function jpg(b)
	local at = 3
	while at + 8 < #b do
		if b:byte(at) ~= 0xFF then return nil, "a broken .jpg" end
		local marker = b:byte(at + 1)
		if marker >= 0xC0 and marker <= 0xCF and marker ~= 0xC4 and marker ~= 0xC8 and marker ~= 0xCC then
			local h, w = (">I2I2"):unpack(b, at + 5)
			return { kind = "jpg", w = w, h = h }
		end
		at = at + 2 + (">I2"):unpack(b, at + 2)
	end
	return nil, "a .jpg without a frame"
end

--- Read what is needed of a picture. Returns {kind, w, h, ...} or nil and why.
---@param bytes string
---@param name string for pictures without a signature
function M.read(bytes, name)
	if bytes:sub(1, 8) == "\137PNG\r\n\26\n" then
		if #bytes < 24 then return nil, "a cut .png header" end
		local w, h = (">I4I4"):unpack(bytes, 17)
		return { kind = "png", w = w, h = h }
	elseif bytes:sub(1, 4) == "DDS " then
		return dds(bytes)
	elseif bytes:sub(1, 2) == "BM" then
		return bmp(bytes)
	elseif bytes:sub(1, 2) == "\255\216" then
		return jpg(bytes)
	elseif name:lower():match "%.tga$" then
		return tga(bytes)
	end
	return nil, "no picture of a known kind"
end

return M
