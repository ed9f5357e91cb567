--- Pictures as inputs of other parts: given as a path or as an image.
local core = require "mapwright.core"
local opts = require "mapwright.opts"
local project = require "mapwright.project"

local raw = core.image

local M = {}

-- The file an image came from, without keeping the image.
local paths = setmetatable({}, { __mode = "k" })

--- Remember where an image came from; returns it.
function M.note(img, path)
	paths[img] = path
	return img
end

--- The file an image came from, or nil.
function M.label(img)
	return paths[img]
end

--- Remember that this run wrote a picture: later readers of `path` get that one.
function M.made(path, full)
	project.made = project.made or {}
	project.made[path] = full
end

--- The file a path means: one made by this run, or one of the project.
function M.file(path)
	return project.made and project.made[path] or project.input(path)
end

--- Bytes and full path of a picture file.
---@param what string words for messages
function M.read(path, what)
	opts.value({ name = "path", type = "string" }, path, what)
	local full = M.file(path)
	return core.fs.read(full), full
end

--- A colour image from a path or an image.
function M.colour_of(what, given)
	if type(given) ~= "string" then
		opts.value({ type = "image" }, given, what)
		return raw.to_colour(given)
	end
	local bytes, full = M.read(given, what)
	return raw.to_colour(raw.decode(bytes, full))
end

--- A grey image with exact values from a path or an image; colour is refused.
---@param what string words for messages: "metal picture"
---@param given string|mapwright.image
---@return mapwright.image
function M.grey_of(what, given)
	if type(given) ~= "string" then
		opts.value({ type = "image" }, given, what)
		return raw.to_grey(given, paths[given])
	end
	local bytes, full = M.read(given, what)
	return M.note(raw.decode_grey(bytes, full), full)
end

--- One byte a cell of a w x h map grid from a grey picture of exactly that size.
---@param resize? boolean resample to that size instead of refusing another
---@return string bytes w * h
function M.bytes_of(what, given, w, h, resize)
	local img = M.grey_of(what, given)
	local label = paths[img] or what
	if resize then img = raw.resize(img, w, h, "smooth") end
	raw.check_size(img, what, w, h)
	return raw.bytes(img, label)
end

--- Heights of w x h vertices as a grey image of 16 bits; 8-bit pictures are spread (v * 257) with a
--- warning, colour is refused.
---@return mapwright.image
function M.heights_of(given, w, h, resize)
	local img = M.grey_of("heightmap", given)
	local label = paths[img]
	if img == given then img = raw.copy(img) end
	raw.widen(img, label)
	if resize then img = raw.resize(img, w, h, "smooth") end
	raw.check_size(img, "heightmap", w, h)
	return img
end

return M
