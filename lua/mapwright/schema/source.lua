--- Option tables of mw.noise and mw.source. Rows as `mapwright.opts` describes them.
local far = 1e9

local M = {}

local period = { name = "period", type = "number", required = true, min = 1e-3, max = far,
	unit = "elmo", doc = "Size of the largest features." }
local octaves = { name = "octaves", type = "integer", default = 1, min = 1, max = 16,
	doc = "Layers of ever finer detail." }
local amplitude = { name = "amplitude", type = "number", default = 1, min = -far, max = far,
	doc = "The largest value; all octaves together never exceed it." }
local gain = { name = "gain", type = "number", default = 0.5, min = 0, max = 1,
	doc = "Weight of an octave over the one before." }
local lacunarity = { name = "lacunarity", type = "number", default = 2, min = 1, max = 16,
	doc = "Frequency of an octave over the one before." }
local seed = { name = "seed", type = "integer",
	doc = "Left out: made of the terrain's seed and the kind and name of the noise." }
local name = { name = "name", type = "string",
	doc = "Tells apart noises of one kind that have no seed of their own." }
local basis = { name = "basis", default = "gradient", enum = { "gradient", "value" },
	doc = "The noise that is folded." }

M.gradient = { name = "noise.gradient", period, octaves, amplitude, gain, lacunarity, seed, name }
M.value = { name = "noise.value", period, octaves, amplitude, gain, lacunarity, seed, name }
M.billow = { name = "noise.billow", period, octaves, amplitude, gain, lacunarity, seed, name,
	basis }
M.ridged = { name = "noise.ridged", period, octaves, amplitude, gain, lacunarity, seed, name, basis,
	{ name = "feedback", type = "number", default = 2, min = 0, max = 16,
		doc = "How much finer detail keeps to the ridges; 0 leaves one octave." },
}
M.cellular = { name = "noise.cellular", period, octaves, amplitude, gain, lacunarity, seed, name,
	{ name = "distance", default = "f1", enum = { "f1", "f2", "f2-f1", "cell" },
		doc = "To the nearest point, to the second, their difference (0 on the borders of cells), "
			.. "or a random number -1..1 for each cell." },
	{ name = "jitter", type = "number", default = 1, min = 0, max = 1,
		doc = "How far the points stray from a square grid." },
}

M.distance = { name = "source.distance",
	{ name = "points", type = "points", doc = "Distance to the nearest of these." },
	{ name = "line", type = "points", doc = "Distance to the line through these." },
	{ name = "polygon", type = "points",
		doc = "Distance to the edge of this area, negative inside." },
}

M.gradient_along = { name = "source.gradient",
	{ name = "from", type = "point", required = true, doc = "Where the value is 0, and beyond." },
	{ name = "to", type = "point", required = true, doc = "Where the value is 1, and beyond." },
}

M.radial = { name = "source.radial",
	{ name = "at", type = "point", required = true, doc = "The centre, where the value is 0." },
	{ name = "radius", type = "number", required = true, min = 1e-3, max = far, unit = "elmo",
		doc = "Where the value is 1, and beyond." },
}

local filter = { name = "filter", default = "bilinear", enum = { "nearest", "bilinear" },
	doc = "The nearest pixel, or straight between four." }
local edge = { name = "edge", default = "clamp", enum = { "clamp", "wrap" },
	doc = "Outside: the pixels of the edge, or the picture again." }

M.image = { name = "source.image",
	{ name = "image", type = { "image", "string" }, required = true,
		doc = "An image, or a picture file." },
	{ name = "min", type = "point", doc = "North-west corner; left out with max: the whole map." },
	{ name = "max", type = "point", doc = "South-east corner." },
	{ name = "channel", default = "grey", enum = { "grey", "red", "green", "blue", "alpha" },
		doc = "What is read as 0..1; grey is the brightness of a coloured picture." },
	filter, edge,
}

M.field = { name = "source.field", filter, edge }

M.terrace = { name = "source:terrace",
	{ name = "step", type = "number", min = 1e-6, max = far, doc = "Height of each step." },
	{ name = "offset", type = "number", default = 0, doc = "Where one of the steps is." },
	{ name = "levels", type = "list", of = "number",
		doc = "The steps themselves, rising, instead of 'step'; at least two." },
	{ name = "soften", type = "number", default = 0.3, min = 0, max = 1,
		doc = "The share of a step that climbs smoothly to the next; 0 makes cliffs." },
}

M.curve = { name = "source:curve", open = true,
	{ name = "smooth", type = "boolean", default = false,
		doc = "A smooth curve that never overshoots its points, instead of straight lines." },
}

M.warp = { name = "source:warp",
	{ name = "x", type = { "source", "field", "number" }, unit = "elmo",
		doc = "How far east the source is read." },
	{ name = "z", type = { "source", "field", "number" }, unit = "elmo",
		doc = "How far south the source is read." },
	{ name = "amplitude", type = "number", min = 0, max = far, unit = "elmo",
		doc = "Instead of x and z: noise that moves the source by up to this much." },
	{ name = "period", type = "number", min = 1e-3, max = far, unit = "elmo",
		doc = "Of that noise; four times the amplitude when left out." },
	{ name = "octaves", type = "integer", default = 2, min = 1, max = 16,
		doc = "Of that noise." },
	{ name = "seed", type = "integer", doc = "Of that noise; made of the terrain's when left out." },
	{ name = "name", type = "string", doc = "Tells apart warps that have no seed of their own." },
}

M.mirror = { name = "source:mirror",
	{ name = "at", type = "point", doc = "The centre; the middle of the map when left out." },
	{ name = "soften", type = "number", default = 0, min = 0, max = far, unit = "elmo",
		doc = "How far to each side of the seam the parts are blended." },
}

M.rotate = { name = "source:rotate",
	{ name = "at", type = "point", doc = "The centre; (0, 0) when left out." },
}

return M
