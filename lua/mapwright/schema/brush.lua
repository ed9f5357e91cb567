--- Options of brushes and their shapes.
local M = {}

local contents = { name = "contents", enum = { "solid", "water", "clip", "trigger", "sky", "none" },
	default = "solid", doc = "What the brush is filled with." }
local material = { name = "material", type = "material", doc = "Of all its faces." }

local function shape(name, rows)
	local out = { name = name }
	for _, row in ipairs(rows) do out[#out + 1] = row end
	out[#out + 1], out[#out + 2] = contents, material
	return out
end

local min = { name = "min", type = "triple", required = true, unit = "scene unit",
	doc = "Lowest corner {x, y, z}." }
local max = { name = "max", type = "triple", required = true, unit = "scene unit",
	doc = "Highest corner {x, y, z}." }
local free_min = { name = "min", type = "triple", doc = "Lowest corner of its box." }
local free_max = { name = "max", type = "triple", doc = "Highest corner of its box." }

local function sides(default, most)
	return { name = "sides", type = "integer", default = default, min = 3, max = most,
		doc = "How many sides stand for the circle." }
end

local high = { name = "high", enum = { "north", "east", "south", "west" }, default = "north",
	doc = "The side at which it is highest." }

M.box = shape("box", { min, max })

M.wedge = shape("wedge", { min, max, high })

M.room = shape("room", { min, max,
	{ name = "wall", type = "number", required = true, min = 0.01, max = 4096, unit = "scene unit",
		doc = "Thickness of the walls, which lie outside min and max." } })

M.prism = shape("prism", {
	{ name = "points", type = "points", required = true,
		doc = "Corners {x = , z = } seen from above, in either order; may be concave." },
	{ name = "bottom", type = "number", required = true, unit = "scene unit", doc = "Lower end." },
	{ name = "top", type = "number", required = true, unit = "scene unit", doc = "Upper end." },
})

local function round(name, extra)
	local rows = { free_min, free_max,
		{ name = "at", type = "triple", doc = "Middle of its base, instead of min and max." },
		{ name = "radius", type = "number", min = 1e-6, max = 1e6, unit = "scene unit",
			doc = "With at." },
		{ name = "height", type = "number", min = 1e-6, max = 1e6, unit = "scene unit",
			doc = "With at." },
		sides(16, 1024) }
	for _, row in ipairs(extra) do rows[#rows + 1] = row end
	return shape(name, rows)
end

M.cylinder = round("cylinder", { { name = "top", type = "number", default = 1, min = 0, max = 1,
	doc = "Size of the upper end in parts of the lower." } })
M.cone = round("cone", {})

M.sphere = shape("sphere", { free_min, free_max,
	{ name = "at", type = "triple", doc = "Its middle, instead of min and max." },
	{ name = "radius", type = "number", min = 1e-6, max = 1e6, unit = "scene unit",
		doc = "With at." },
	sides(16, 256),
	{ name = "rings", type = "integer", default = 8, min = 2, max = 128,
		doc = "Rings of faces from pole to pole." } })

M.arch = shape("arch", { min, max,
	{ name = "thickness", type = "number", required = true, min = 1e-6, max = 1e6,
		unit = "scene unit", doc = "Of the bar, along the radius." },
	{ name = "start", type = "number", default = 0, min = -360, max = 360, unit = "degree",
		doc = "Where it begins: 0 east, 90 up." },
	{ name = "sweep", type = "number", default = 180, min = 0.001, max = 360, unit = "degree",
		doc = "How far it goes round; 180 is a door head." },
	{ name = "segments", type = "integer", default = 12, min = 1, max = 1024,
		doc = "Brushes that make it." } })

M.torus = shape("torus", {
	{ name = "at", type = "triple", required = true, doc = "Its middle." },
	{ name = "radius", type = "number", required = true, min = 1e-6, max = 1e6,
		unit = "scene unit", doc = "From its middle to the middle of the tube." },
	{ name = "tube", type = "number", required = true, min = 1e-6, max = 1e6,
		unit = "scene unit", doc = "Radius of the tube." },
	{ name = "segments", type = "integer", default = 16, min = 3, max = 256,
		doc = "Brushes that make it." },
	sides(8, 256) })

M.stairs = shape("stairs", {
	{ name = "at", type = "triple", required = true,
		doc = "Corner at the foot, on the left hand of who walks up." },
	{ name = "run", type = "triple", required = true,
		doc = "Where it goes: along x or z, {3, 0, 0}." },
	{ name = "rise", type = "number", required = true, min = 1e-6, max = 1e6,
		unit = "scene unit", doc = "How high it climbs." },
	{ name = "width", type = "number", required = true, min = 1e-6, max = 1e6,
		unit = "scene unit", doc = "To the right hand of who walks up." },
	{ name = "steps", type = "integer", required = true, min = 1, max = 1024,
		doc = "How many." },
	{ name = "solid", type = "boolean", default = true,
		doc = "Each step reaches down to the floor; otherwise it is as thick as it is high." } })

M.hull = shape("hull", {
	{ name = "points", type = "list", of = "triple", required = true,
		doc = "Points {x, y, z} to be held; at least four that lie in no plane." },
	{ name = "flat", type = "number", default = 0, min = 0, max = 1e6, unit = "scene unit",
		doc = "Facets this near to one plane become one side." } })

M.brush = shape("brush", {
	{ name = "planes", type = "list", of = "list", required = true,
		doc = "{nx, ny, nz, d} each: the solid is where n . p < d for all." } })

M.terrain_patch = shape("terrain_patch", {
	{ name = "heights", type = "field", required = true, doc = "Heights, one a corner." },
	{ name = "at", type = "triple", default = { 0, 0, 0 },
		doc = "Where its north-west corner lies; y is the base." },
	{ name = "cell", type = "number", required = true, min = 1e-6, max = 1e6,
		unit = "scene unit", doc = "Distance of neighbouring samples." },
	{ name = "least", type = "number", default = 0.01, min = 1e-6, max = 1e6,
		unit = "scene unit", doc = "Least height over the base." } })

M.faces = { "all", "top", "bottom", "east", "west", "south", "north", "side", "inner", "seam" }

M.clip = {
	name = "clip",
	{ name = "normal", type = "triple", required = true, doc = "Of the cutting plane." },
	{ name = "distance", type = "number", required = true, unit = "scene unit",
		doc = "normal . p of its points." },
	{ name = "keep", enum = { "back", "front", "both" }, default = "back",
		doc = "Which part stays." },
}

M.turn = {
	name = "turn",
	{ name = "yaw", type = "number", default = 0, min = -3600, max = 3600, unit = "degree",
		doc = "About Y, from north towards west." },
	{ name = "pitch", type = "number", default = 0, min = -3600, max = 3600, unit = "degree",
		doc = "About X, up." },
	{ name = "roll", type = "number", default = 0, min = -3600, max = 3600, unit = "degree",
		doc = "About Z." },
	{ name = "about", type = "triple", default = { 0, 0, 0 }, doc = "What stays where it is." },
	{ name = "lock", type = "boolean", default = true, doc = "Textures go along." },
}

M.texture = {
	name = "texture",
	{ name = "faces", enum = M.faces, default = "all", doc = "Which." },
	{ name = "offset", type = "pair", doc = "In repeats." },
	{ name = "scale", type = "pair", doc = "In parts of the material's tile." },
	{ name = "rotation", type = "number", min = -3600, max = 3600, unit = "degree",
		doc = "About the normal." },
}

M.bsp = {
	name = "bsp",
	{ name = "brushes", type = "brushes", required = true, doc = "What the tree is over." },
	{ name = "leaf_size", type = "integer", default = 4, min = 1, max = 64,
		doc = "Cells of so few brushes are not split." },
	{ name = "max_depth", type = "integer", default = 40, min = 1, max = 64,
		doc = "Most nodes on a path." },
}

local mask = { name = "mask", type = "list", default = { "solid" },
	doc = "Contents that stop it: a list of names." }

M.ray = {
	name = "ray",
	{ name = "from", type = "triple", required = true, doc = "Start." },
	{ name = "to", type = "triple", required = true, doc = "End." },
	mask,
}

M.sweep = {
	name = "sweep",
	{ name = "from", type = "triple", required = true, doc = "Middle of the box at the start." },
	{ name = "to", type = "triple", required = true, doc = "Middle of the box at the end." },
	{ name = "half", type = "triple", required = true, doc = "Half sizes of the box." },
	mask,
}

return M
