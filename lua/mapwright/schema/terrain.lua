--- Options of a terrain and of what is placed on it.
local M = {}

M.terrain = {
	name = "terrain",
	{ name = "map_units", type = "pair", unit = "map unit",
		doc = "Size {width, depth} in map units of 512 elmos; even numbers." },
	{ name = "squares", type = "pair", unit = "square",
		doc = "The same in squares of 8 elmos; multiples of 128." },
	{ name = "elmos", type = "pair", unit = "elmo", doc = "The same in elmos; multiples of 1024." },
	{ name = "min_height", type = "number", required = true, min = -1e6, max = 1e6, unit = "elmo",
		doc = "The lowest height that the map can hold; below 0 is water." },
	{ name = "max_height", type = "number", required = true, min = -1e6, max = 1e6, unit = "elmo",
		doc = "The highest height that the map can hold." },
	{ name = "seed", type = "integer", default = 0,
		doc = "What every procedural call without a seed of its own starts from." },
	{ name = "force_size", type = "boolean", default = false,
		doc = "Build sizes that the engine is known to crash on or draw only in part." },
}

M.heights = {
	name = "heights",
	{ name = "picture", type = "string", required = true,
		doc = "Grey picture (PNG of 8 or 16 bits, TGA, BMP) or raw 16-bit samples (.r16, .raw)." },
	{ name = "low", type = "number", unit = "elmo",
		doc = "Height of black; the terrain's min_height when absent." },
	{ name = "high", type = "number", unit = "elmo",
		doc = "Height of white (65536); the terrain's max_height when absent." },
	{ name = "resize", type = "boolean", default = false,
		doc = "Let a picture of another size be scaled to the map." },
	{ name = "big_endian", type = "boolean", default = false,
		doc = "Raw samples have their high byte first." },
}

-- Where something stands.
local place = {
	{ name = "x", type = "number", required = true, unit = "elmo", doc = "East of the west edge." },
	{ name = "z", type = "number", required = true, unit = "elmo", doc = "South of the north edge." },
	{ name = "mirror", type = "mirror", doc = "Place the symmetric partners too." },
}

local function with_place(name, rows)
	local out = { name = name }
	for _, row in ipairs(place) do out[#out + 1] = row end
	for _, row in ipairs(rows) do out[#out + 1] = row end
	return out
end

M.metal_spot = with_place("metal_spot", {
	{ name = "metal", type = "number", required = true, min = 0.001, max = 1000, unit = "metal/second",
		doc = "What an extractor with extractsMetal 0.001 gives there." },
	{ name = "radius", type = "number", default = 48, min = 8, max = 1024, unit = "elmo",
		doc = "How far the dome of metal reaches." },
	{ name = "snap", type = "boolean", default = true,
		doc = "Move the spot to the grid of 16 elmos that extractors snap to." },
})

local headings = {
	{ name = "heading", type = "number", min = -1e6, max = 1e6,
		doc = "Engine heading: 65536 a turn, 0 south, 16384 east." },
	{ name = "compass", type = "number", min = -3600, max = 3600, unit = "degree",
		doc = "Compass bearing: 0 north, 90 east." },
	{ name = "facing", enum = { "south", "east", "north", "west" }, doc = "The same in words." },
}

M.feature = with_place("feature", {
	{ name = "name", type = "string", required = true,
		doc = "Feature name: at most 30 bytes; one of the map's, the game's or the engine's." },
	headings[1], headings[2], headings[3],
})

M.vent = with_place("vent", { headings[1], headings[2], headings[3] })

M.start = with_place("start", {})

-- What the three cell maps have in common; `value` is the row of what is painted.
local function paint(name, value, more)
	local out = {
		name = name,
		{ name = "picture", type = "string",
			doc = "Grey picture of one pixel a cell, taken byte for byte." },
		value,
		{ name = "where", type = { "source", "field" }, doc = "Only where this is above 0.5." },
		{ name = "slope_below", type = "number", min = 0, max = 90, unit = "degree",
			doc = "Only on ground less steep than this." },
		{ name = "slope_above", type = "number", min = 0, max = 90, unit = "degree",
			doc = "Only on ground steeper than this." },
		{ name = "above", type = "number", unit = "elmo", doc = "Only on ground higher than this." },
		{ name = "below", type = "number", unit = "elmo", doc = "Only on ground lower than this." },
		{ name = "combine", enum = { "replace", "add", "max" }, default = "replace",
			doc = "How the value joins what is there." },
		{ name = "resize", type = "boolean", default = false,
			doc = "Let a picture of another size be scaled to the map." },
	}
	for _, row in ipairs(more or {}) do table.insert(out, row) end
	return out
end

M.metal = paint("metal", { name = "bytes", type = { "number", "source", "field" },
	min = 0, max = 255,
	doc = "Metal byte of each cell of 16 elmos, 0..255; maxMetal scales it." })

M.types = paint("types", { name = "type", type = { "integer", "source", "field" },
	min = 0, max = 255,
	doc = "Index into info.terrainTypes of each cell of 16 elmos; sources are rounded to one." })

M.grass = paint("grass", { name = "density", type = { "number", "source", "field" },
	min = 0, max = 1,
	doc = "How large clumps grow, 0 (none) to 1, graded to the bytes 2..254; cells of 32 elmos." },
	{ { name = "bytes", type = { "number", "source", "field" }, min = 0, max = 254,
		doc = "Grass bytes as they are stored, instead of density." } })

M.scatter = {
	name = "scatter",
	{ name = "density", type = { "number", "source", "field" }, default = 1,
		doc = "How likely a place is, 0..1." },
	{ name = "spacing", type = "number", required = true, min = 1, max = 100000, unit = "elmo",
		doc = "No two positions are nearer than this." },
	{ name = "count", type = "integer", min = 1, max = 1000000,
		doc = "At most so many positions, partners included." },
	{ name = "avoid", type = "table", doc = "What to keep away from.", fields = {
		name = "scatter: avoid",
		{ name = "slope", type = "number", min = 0, max = 90, unit = "degree",
			doc = "Ground steeper than this." },
		{ name = "water", type = { "boolean", "number" }, unit = "elmo",
			doc = "Ground below sea level, or below this height." },
		{ name = "starts", type = "number", min = 0, max = 100000, unit = "elmo",
			doc = "A circle of this radius about each start position." },
		{ name = "spots", type = "number", min = 0, max = 100000, unit = "elmo",
			doc = "A circle of this radius about each metal spot and vent." },
		{ name = "positions", type = "list", of = "point",
			doc = "Further centres for `radius`." },
		{ name = "radius", type = "number", min = 0, max = 100000, unit = "elmo",
			doc = "How far to stay from `positions`." },
		{ name = "edge", type = "number", min = 0, max = 100000, unit = "elmo",
			doc = "A strip along the map's edge." },
	} },
	{ name = "mirror", type = "mirror", doc = "Make the set symmetric." },
	{ name = "snap", type = "number", min = 1, max = 1024, unit = "elmo",
		doc = "Move positions to a grid of this width." },
	{ name = "seed", type = "integer", doc = "Another draw; the terrain's seed when absent." },
}

return M
