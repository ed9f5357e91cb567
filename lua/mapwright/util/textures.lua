--- Pictures of materials in a folder: found by the name that a level has for a texture, with or
--- without its extension, case aside, in the folder itself or below.
local core = require "mapwright.core"
local errors = require "mapwright.errors"

local M = {}

local PICTURES = { png = true, jpg = true, jpeg = true, tga = true, bmp = true }
local MOST_FILES, DEEPEST = 20000, 16

local function key_of(name)
	return (name:lower():gsub("\\", "/"):gsub("^%./", ""):gsub("%.(%w+)$", function(extension)
		if PICTURES[extension] then return "" end
	end))
end

-- Names in bytewise order, files of a folder before those deeper down: the first of a name counts.
local function walk(found, folder, prefix, depth)
	local folders = {}
	for _, name in ipairs(core.fs.list(folder)) do
		local path, kind = folder .. "/" .. name, nil
		found.files = found.files + 1
		if found.files > MOST_FILES then
			errors.raise("limit", "%s: more than %d files to look for textures in", found.folder,
				MOST_FILES)
		end
		if PICTURES[(name:lower():match "%.(%w+)$")] then
			local key = key_of(prefix .. name)
			local short = key:match "[^/]*$"
			found.whole[key] = found.whole[key] or path
			found.short[short] = found.short[short] or path
		else
			kind = core.fs.kind(path)
		end
		if kind == "folder" then folders[#folders + 1] = name end
	end
	if depth == 0 then return end
	for _, name in ipairs(folders) do
		walk(found, folder .. "/" .. name, prefix .. name .. "/", depth - 1)
	end
end

--- Look through a folder. With `flat` no deeper than its own files.
---@param folder string
---@param flat? boolean
function M.index(folder, flat)
	local found = { folder = folder, files = 0, whole = {}, short = {} }
	if core.fs.kind(folder) ~= "folder" then
		errors.raise("io", "%s: no folder to look for textures in", folder)
	end
	walk(found, folder, "", flat and 0 or DEEPEST)
	return found
end

--- The picture of a texture, or nil: by its whole name (`base/wall3`), then by its last part.
---@param found table from index
---@param name string
function M.find(found, name)
	local key = key_of(name)
	return found.whole[key] or found.short[key:match "[^/]*$"]
end

--- {name, width, height} of the names whose picture is there.
---@param folder string
---@param names string[]
function M.sizes(folder, names)
	local found, out = M.index(folder), {}
	for _, name in ipairs(names) do
		local path = M.find(found, name)
		if path then
			local _, w, h = core.image.probe_file(path)
			out[#out + 1] = { name, w, h }
		end
	end
	return out
end

-- The picture of a row of scene:materials(), or nil.
local function picture_of(found, material)
	return M.find(found, material.texture) or M.find(found, material.name)
end

--- Tell a scene of the core the sizes of those textures whose size it does not know.
function M.measure(folder, scene)
	local found = M.index(folder)
	for i, material in ipairs(scene:materials()) do
		local path = not material.pixels and picture_of(found, material)
		if path then
			local _, w, h = core.image.probe_file(path)
			scene:pixels(i, w, h)
		end
	end
end

--- Pictures of the materials of a scene of the core: {[number] = colour image}.
---@param found table from index
function M.pictures(found, scene)
	local out = {}
	for i, material in ipairs(scene:materials()) do
		local path = picture_of(found, material)
		if path then
			out[i] = core.image.to_colour(core.image.decode(core.fs.read(path), path))
		end
	end
	return out
end

return M
