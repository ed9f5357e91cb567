--- Options of brush levels.
local M = {}

M.scene = {
	name = "scene",
	{ name = "name", type = "string", default = "", doc = "The level's name." },
	{ name = "units_per_metre", type = "number", default = 1, min = 1e-3, max = 1e5,
		unit = "scene unit", doc = "Scene units in a metre." },
	{ name = "grid", type = "number", default = 1, min = 1e-6, max = 1e6, unit = "scene unit",
		doc = "Grid of the editor that opens it." },
	{ name = "ambient", type = "color", default = { 0, 0, 0 }, doc = "Light that is everywhere." },
}

M.material = {
	name = "material",
	{ name = "name", type = "string", required = true, doc = "Unique in the scene." },
	{ name = "texture", type = "string", default = "", doc = "File or name of the texture." },
	{ name = "tile", type = "pair", default = { 1, 1 },
		doc = "Size of one repeat in scene units {across, down}." },
	{ name = "color", type = "color", default = { 1, 1, 1 }, doc = "Tint." },
	{ name = "pixels", type = "pair", default = { 0, 0 },
		doc = "Size of the texture, where a format measures in pixels; {0, 0}: 64 x 64." },
}

M.add = {
	name = "add",
	{ name = "group", type = "string", doc = "Name of a group they belong to." },
	{ name = "detail", type = "boolean", default = false,
		doc = "Detail brushes of the Quake family." },
}

local at = { name = "at", type = "triple", default = { 0, 0, 0 }, doc = "Where it stands." }
local yaw = { name = "yaw", type = "number", default = 0, min = -3600, max = 3600,
	unit = "degree", doc = "Where it looks: 0 north, 90 west." }
local pitch = { name = "pitch", type = "number", default = 0, min = -3600, max = 3600,
	unit = "degree", doc = "Up." }
local roll = { name = "roll", type = "number", default = 0, min = -3600, max = 3600,
	unit = "degree", doc = "To its side." }
local keys = { name = "keys", type = "table",
	doc = "Keys in the engine's spelling; a list of {key, value} keeps order and repeats." }
local wires = { name = "wires", type = "list", of = "table",
	doc = "{output, target, input, parameter, delay, once} each." }
local group = { name = "group", type = "string", doc = "Name of a group it belongs to." }

M.entity = {
	name = "entity",
	{ name = "classname", type = "string", required = true, doc = "What it is." },
	at, yaw, pitch, roll,
	{ name = "scale", type = "triple", default = { 1, 1, 1 }, doc = "Its size." },
	keys, wires,
	{ name = "brushes", type = { "brushes", "list" }, doc = "Brushes that it is made of." },
	{ name = "meshes", type = { "mesh", "list" }, doc = "Meshes that it is made of." },
	group,
}

M.wire = {
	name = "wire",
	{ name = "output", type = "string", required = true, doc = "What sends." },
	{ name = "target", type = "string", required = true, doc = "The targetname that receives." },
	{ name = "input", type = "string", required = true, doc = "What it is told." },
	{ name = "parameter", type = "string", default = "", doc = "With what." },
	{ name = "delay", type = "number", default = 0, min = 0, max = 1e6, unit = "second",
		doc = "After how long." },
	{ name = "once", type = "boolean", default = false, doc = "Only the first time." },
}

M.player_start = {
	name = "player_start",
	at, yaw, keys, group,
	{ name = "kind", enum = { "single", "coop", "deathmatch" }, default = "single",
		doc = "Who starts there." },
}

M.light = {
	name = "light",
	{ name = "kind", enum = { "point", "spot", "sun" }, default = "point", doc = "Its form." },
	at, yaw, pitch,
	{ name = "color", type = "color", doc = "White when absent." },
	{ name = "intensity", type = "number", default = 1, min = 0, max = 1e6,
		doc = "1 lights a near surface fully." },
	{ name = "radius", type = "number", min = 1e-6, max = 1e6, unit = "scene unit",
		doc = "Where it ends; 10 metres when absent." },
	{ name = "outer", type = "number", min = 0, max = 180, unit = "degree",
		doc = "Half of a spot's cone." },
	{ name = "inner", type = "number", min = 0, max = 180, unit = "degree",
		doc = "Half of its bright core." },
	keys, group,
}

M.mesh = {
	name = "mesh",
	{ name = "name", type = "string", default = "", doc = "Its name." },
	{ name = "vertices", type = "list", of = "triple", required = true, doc = "{x, y, z} each." },
	{ name = "faces", type = "list", of = "table", required = true,
		doc = "Convex polygons: lists of vertex numbers, counter-clockwise from the front, "
			.. "with material, smooth, uv = {{u, v}, ...}." },
	{ name = "material", type = "material", doc = "Of faces that name none." },
	{ name = "collides", type = "boolean", default = true, doc = "Whether things run into it." },
}

return M
