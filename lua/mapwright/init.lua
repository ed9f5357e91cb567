--- The public table: `local mw = require "mapwright"`. Parts load when first used.
---@class mapwright
local mw = {}

-- name in `mw` -> module that holds it and its field there (the module itself when absent)
local parts = {
	arch = { "mapwright.brush", "arch" },
	box = { "mapwright.brush", "box" },
	brush = { "mapwright.brush", "brush" },
	bsp = { "mapwright.bsp" },
	cone = { "mapwright.brush", "cone" },
	csg = { "mapwright.csg" },
	cylinder = { "mapwright.brush", "cylinder" },
	hull = { "mapwright.brush", "hull" },
	image = { "mapwright.image" },
	mesh = { "mapwright.mesh", "mesh" },
	prism = { "mapwright.brush", "prism" },
	room = { "mapwright.brush", "room" },
	scene = { "mapwright.scene", "scene" },
	sphere = { "mapwright.brush", "sphere" },
	stairs = { "mapwright.brush", "stairs" },
	terrain_patch = { "mapwright.brush", "terrain_patch" },
	torus = { "mapwright.brush", "torus" },
	wedge = { "mapwright.brush", "wedge" },
	level = { "mapwright.level", "level" },
	mapinfo = { "mapwright.mapinfo" },
	read = { "mapwright.project", "read" },
	try_read = { "mapwright.project", "try_read" },
	fs = { "mapwright.project", "fs" },
	define = { "mapwright.project", "define" },
	dxt1 = { "mapwright.dxt1" },
	field = { "mapwright.field", "field" },
	noise = { "mapwright.source", "noise" },
	quantize = { "mapwright.field", "quantize" },
	rng = { "mapwright.random", "rng" },
	source = { "mapwright.source", "source" },
	target = { "mapwright.target" },
	terrain = { "mapwright.terrain", "terrain" },
	version = { "mapwright.version", "version" },
}

local names = {}
for name in next, parts do names[#names + 1] = name end
table.sort(names)

setmetatable(mw, {
	__name = "mapwright",
	__names = names,
	__index = function(t, name)
		local part = parts[name]
		if not part then
			local near = require "mapwright.util.suggest" (name, parts)
			require "mapwright.errors".fail("mw.%s does not exist%s", tostring(name), near)
		end
		local value = require(part[1])
		if part[2] then value = value[part[2]] end
		rawset(t, name, value)
		return value
	end,
	__newindex = function(_, name)
		require "mapwright.errors".fail("mw.%s: the library's table is read-only", tostring(name))
	end,
})

return mw
