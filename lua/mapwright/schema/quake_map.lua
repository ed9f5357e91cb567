--- Options of .map levels: what writing and reading take, and the target.
local core = require "mapwright.core"

local M = {}

local names = core.qmap.dialects()

-- Any of our names or of TrenchBroom's, case aside.
local function dialect(value)
	local name = core.qmap.dialect(value)
	if name then return name end
	local quoted = {}
	for i, known in ipairs(names) do quoted[i] = "'" .. known .. "'" end
	return nil, ("must be one of %s, or TrenchBroom's name of one, got '%s'%s"):format(
		table.concat(quoted, ", "), value, require "mapwright.util.suggest" (value, names))
end

local units = { name = "units_per_metre", type = "number", min = 1e-6, max = 1e6,
	unit = "map unit",
	doc = "Map units to a metre; when absent the scene's where it has more than 1, else 32." }
local axes = { name = "axes", enum = { "quake", "godot" }, default = "quake",
	doc = "Z up as every Quake tool wants, or Y up as levels of Godot have it." }

local textures = { name = "textures", type = "string",
	doc = "Folder of pictures, which say how large each texture is; one without a picture counts "
		.. "as 64 x 64." }

local write = {
	{ name = "dialect", type = "string", default = "valve220", check = dialect,
		doc = "How faces are written: classic, valve220, quake2, quake3_valve, ..." },
	units, axes,
	{ name = "decimals", type = "integer", min = 0, max = 15,
		doc = "Most decimals of points and offsets; as many as read back the same when absent." },
	{ name = "quote_textures", type = "boolean", default = true,
		doc = "Put names with blanks in quotes; false: an underscore for the blanks." },
	{ name = "comments", type = "boolean", default = true,
		doc = "Write the header that editors look for, and numbers of entities and brushes." },
	textures,
}

--- What `convert --set name=value` takes when a .map is written.
M.convert = { name = "quake_map" }
for _, row in ipairs(write) do M.convert[#M.convert + 1] = row end

--- What reading a .map takes.
M.read = {
	name = "level",
	{ name = "source_units_per_metre", type = "number", min = 1e-6, max = 1e6,
		unit = "map unit",
		doc = "Map units to a metre of a file that doesn't say; 32 when absent." },
	{ name = "source_axes", enum = { "file", "quake", "godot" }, default = "file",
		doc = "Which way is up, when the file's own word is not to be taken." },
	{ name = "scene_units_per_metre", type = "number", min = 1e-6, max = 1e6,
		unit = "scene unit",
		doc = "Scene units to a metre; those of the file when absent." },
	{ name = "patch_steps", type = "integer", default = 4, min = 1, max = 64,
		doc = "Pieces along a curve of three control points." },
	textures,
}

M.target = {
	name = "target.quake_map",
	{ name = "out", type = "string", required = true, doc = "The file to make." },
	{ name = "scene", type = "scene", required = true, doc = "What mw.scene made." },
}
for _, row in ipairs(write) do M.target[#M.target + 1] = row end
M.target[#M.target + 1] = { name = "strict", type = "boolean", default = false,
	doc = "Turn losses and warnings into errors." }

return M
