--- Option tables of fields. Rows as `mapwright.opts` describes them.
local far = 1e9

local soften = { name = "soften", type = "number", default = 0, min = 0, max = far, unit = "elmo",
	doc = "Width of the soft edge outside the shape." }
local mode = { name = "mode", default = "level", enum = { "level", "raise", "lower", "add" },
	doc = "Bring the field to the level, only raise or lower it to there, or add the level." }
local width = { name = "width", type = "number", required = true, min = 0, max = far, unit = "elmo",
	doc = "From edge to edge." }

local M = {}

M.field = { name = "field",
	{ name = "w", type = "integer", required = true, min = 1, max = 32769,
		doc = "Samples from west to east." },
	{ name = "h", type = "integer", required = true, min = 1, max = 32769,
		doc = "Samples from north to south." },
	{ name = "step", type = "number", default = 8, min = 1e-6, max = far, unit = "elmo",
		doc = "Distance of neighbouring samples." },
	{ name = "x", type = "number", default = 0, unit = "elmo", doc = "Where the first column lies." },
	{ name = "z", type = "number", default = 0, unit = "elmo", doc = "Where the first row lies." },
	{ name = "seed", type = "integer", default = 0,
		doc = "For noise and erosion that have no seed of their own." },
	{ name = "value", type = { "number", "field", "source", "image" }, default = 0,
		doc = "What the samples hold at first." },
}

M.stamp = { name = "field:stamp",
	{ name = "radius", type = "number", min = 0, max = far, unit = "elmo",
		doc = "Of a disc; give this or width and depth." },
	{ name = "width", type = "number", min = 0, max = far, unit = "elmo",
		doc = "Of a rectangle, from west to east." },
	{ name = "depth", type = "number", min = 0, max = far, unit = "elmo",
		doc = "Of a rectangle, from north to south; as the width when left out." },
	{ name = "level", type = "number", required = true, doc = "The height to reach." },
	soften, mode,
}

M.flatten = { name = "field:flatten",
	M.stamp[1], M.stamp[2], M.stamp[3],
	{ name = "level", type = "number",
		doc = "The height to reach; the mean of what is there when left out." },
	soften,
}

M.path = { name = "field:path", width,
	{ name = "level", type = "number",
		doc = "The height to reach at points that have no level; when left out, the field's own "
			.. "height there." },
	soften, mode,
}

M.ramp = { name = "field:ramp", width, soften, mode }

M.polygon = { name = "field:polygon",
	{ name = "level", type = "number", required = true, doc = "The height to reach." },
	soften, mode,
}

M.mirror = { name = "field:mirror",
	{ name = "soften", type = "number", default = 0, min = 0, max = far, unit = "elmo",
		doc = "How far to each side of the seam the two halves are blended." },
}

M.terrace = { name = "field:terrace",
	{ name = "step", type = "number", min = 1e-6, max = far, doc = "Height of each step." },
	{ name = "offset", type = "number", default = 0, doc = "Where one of the steps is." },
	{ name = "levels", type = "list", of = "number",
		doc = "The steps themselves, rising, instead of 'step'; at least two." },
	{ name = "soften", type = "number", default = 0, min = 0, max = 1,
		doc = "How much of a step climbs smoothly to the next; 0 makes cliffs." },
}

local where = { name = "where", type = { "field", "source" },
	doc = "A mask: 0 keeps the ground as it is, 1 erodes it." }
local seed = { name = "seed", type = "integer",
	doc = "Another draw; taken from the field's seed when left out." }

local kind = { name = "kind", required = true, enum = { "thermal", "hydraulic", "droplets" },
	doc = "Falling rock, running water or single drops." }

local function share(name, default, doc)
	return { name = name, type = "number", default = default, min = 0, max = 1, doc = doc }
end

local function amount(name, default, doc)
	return { name = name, type = "number", default = default, min = 0, max = 1000, doc = doc }
end

-- field:erode by kind.
M.erode_thermal = { name = "field:erode",
	kind,
	{ name = "iterations", type = "integer", default = 50, min = 0, max = 1000000,
		doc = "How often rock slides on." },
	{ name = "angle", type = "number", default = 35, min = 0, max = 89, unit = "degree",
		doc = "The steepest slope that holds." },
	share("rate", 1, "How much of what is too steep slides in an iteration."),
	where,
}

M.erode_hydraulic = { name = "field:erode",
	kind,
	{ name = "iterations", type = "integer", default = 250, min = 0, max = 1000000,
		doc = "How long it rains; water runs one sample an iteration at most." },
	{ name = "rain", type = "number", default = 0.02, min = 0, max = 1000, unit = "elmo",
		doc = "Water that falls in an iteration." },
	share("variation", 0, "How much the rain differs from place to place; 0 keeps symmetry."),
	share("evaporation", 0.02, "Share of the water lost in an iteration."),
	amount("capacity", 2, "How much ground fast water carries; more digs deeper."),
	share("dissolve", 0.1, "How quickly it takes ground up."),
	share("deposit", 0.2, "How quickly it drops what is too much."),
	share("friction", 0.05, "Share of its motion water loses in an iteration."),
	seed, where,
}

M.erode_droplets = { name = "field:erode",
	kind,
	{ name = "count", type = "integer", min = 0, max = 10000000000,
		doc = "How many drops; one for every two samples when left out." },
	{ name = "lifetime", type = "integer", default = 48, min = 1, max = 1000,
		doc = "Steps of a drop, each as long as samples are apart." },
	{ name = "radius", type = "number", default = 24, min = 0, max = 1e9, unit = "elmo",
		doc = "How wide a drop digs; between 1 and 16 samples." },
	share("inertia", 0.3, "0 runs straight down, 1 straight on."),
	amount("capacity", 1, "How much ground a drop carries; more digs deeper."),
	share("dissolve", 0.15, "How quickly it takes ground up."),
	share("deposit", 0.1, "How quickly it drops what is too much."),
	share("evaporation", 0.03, "Share of its water a drop loses in a step."),
	amount("gravity", 1, "How much faster it gets downhill."),
	seed, where,
}

M.resample = { name = "field:resample",
	{ name = "w", type = "integer", required = true, min = 1, max = 32769, doc = "Samples across." },
	{ name = "h", type = "integer", required = true, min = 1, max = 32769, doc = "Samples down." },
	{ name = "kind", default = "linear", enum = { "nearest", "linear", "cubic" },
		doc = "How to read between samples; cubic may overshoot." },
}

M.histogram = { name = "field:histogram",
	{ name = "bins", type = "integer", default = 64, min = 1, max = 65536, doc = "How many." },
	{ name = "min", type = "number", doc = "Lower end; the smallest sample when left out." },
	{ name = "max", type = "number", doc = "Upper end; the largest sample when left out." },
}

M.quantize = { name = "quantize",
	{ name = "field", type = "field", required = true, doc = "What to turn into whole numbers." },
	{ name = "min_height", type = "number", required = true, unit = "elmo",
		doc = "Height of word 0." },
	{ name = "max_height", type = "number", required = true, unit = "elmo",
		doc = "Height of word 65536, which is one above the highest." },
}

return M
