--- What lint knows of levels of brushes; rows as in mapwright.mapinfo.rules.
local M = {}
local by_id = {}

local function group(name, rows)
	for _, r in ipairs(rows) do
		r.group = name
		r.id, r.severity, r.title, r.text = r[1], r[2], r[3], r[4]
		by_id[r.id] = r
		M[#M + 1] = r
	end
end

group("The level as text", {
	{ "map-outside", "error", "there is text outside any block",
		"Compilers stop here, or skip what follows. The file is not read." },
	{ "map-unclosed", "error", "a block or string is not closed",
		"The file ends within a brush, an entity or a string: it was cut short." },
	{ "map-pair", "error", "a line of an entity is no pair of key and value",
		"An entity holds pairs of strings in quotes, brushes and patches." },
	{ "map-face", "error", "a line of a brush is no face",
		"A face is three points, a texture and its alignment; without one the solid is another." },
	{ "map-nested", "error", "there is a brush inside a brush",
		"A closing brace is missing before it." },
	{ "map-no-entity", "error", "there is no entity in the file", "It is no level." },
	{ "map-errors", "error", "there are too many errors", "The rest of the file was not looked at." },
	{ "map-number", "warning", "a coordinate is no number",
		"nan and inf come from broken tools. The brush is left out." },
	{ "map-face-extra", "warning", "there is something behind a face that is not understood",
		"It is not kept when the level is written again." },
	{ "map-brush-pair", "warning", "a brush has a pair of its own",
		"Few editors write these; it is not kept." },
	{ "map-raw", "warning", "a primitive is not understood",
		"It is kept in the same dialect and left out of all others." },
	{ "map-units", "warning", "_hf_units_per_metre is no number of units",
		"The usual 32 are taken." },
	{ "map-patch", "warning", "a patch has an even number of points",
		"Curves need an odd number of control points each way; the patch is left out." },
})

-- Lengths are units of a .map, of which 32 make a metre: what a .hmap has a metre for.
group("Brushes", {
	{ "map-brush-open", "warning", "a brush is open", "Its faces bound no solid: a face is missing, or"
		.. " some are turned round. Compilers drop it, which lets light and players through." },
	{ "map-brush-empty", "warning", "a brush has no volume",
		"Its faces leave no room between them. Compilers drop it." },
	{ "map-brush-inverted", "warning", "a brush is inside out",
		"Its points run counter-clockwise, or its planes face inwards. A .map's brush is turned when it"
		.. " is read, a .hmap's is left out of what is compiled; other compilers drop it." },
	{ "map-brush-micro", "warning", "a brush is smaller than a quarter of a unit",
		"Classic compilers lose such brushes in rounding; one can turn a whole room solid." },
	{ "map-brush-sliver", "warning", "a brush is thinner than a twentieth of a unit",
		"Classic compilers split such brushes badly." },
	{ "map-gap", "warning", "there is a gap of a twentieth of a unit or less between two brushes",
		"It is too small to be meant, and large enough to leak." },
	{ "map-plane-near", "warning", "two faces of a brush have almost the same plane",
		"One of them is a leftover of an edit; the sliver between them confuses compilers." },
	{ "map-off-grid", "info", "a corner is off the grid of an eighth",
		"Rotated brushes have such corners; others were hardly meant to. An eighth of a unit in a .map,"
		.. " of the file's own grid in a .hmap. --fix moves corners that are within a hundredth of a"
		.. " unit.", fix = true },
	{ "map-bounds", "warning", "a brush reaches out of the world",
		"Quake's own formats end at 4096 units from the origin. In a .hmap, 4096 metres: there float32"
		.. " numbers no longer tell apart what is 1/2048 of a metre apart." },
})

group("Faces", {
	{ "map-face-flat", "warning", "the points of a face lie on one line",
		"They say no plane. The face is left out, and the brush is open when it needs it.", fix = true },
	{ "map-face-repeated", "warning", "a brush has the same plane twice",
		"The later face is left out.", fix = true },
	{ "map-face-opposite", "warning", "a brush has one plane from both sides",
		"Taken at its word it would be empty; the later face is left out.", fix = true },
	{ "map-face-unused", "warning", "a face bounds nothing of its brush",
		"Other faces cut all of it away.", fix = true },
	{ "map-scale-zero", "warning", "a texture scale is 0", "All engines take 1." },
	{ "map-axes", "warning", "the texture axes of a face give no picture",
		"They are parallel, or lie along the normal; plain ones are taken." },
})

group("Meshes and files of .hmap", {
	{ "hmap-polygon-bent", "warning", "a corner is off the plane of its polygon",
		"Polygons are to be flat within a hundredth of a unit: renderers and collision cut them into"
		.. " triangles differently." },
	{ "hmap-polygon-concave", "warning", "a polygon is not convex",
		"The format wants convex ones. It is cut into triangles here; others may draw it wrong." },
	{ "hmap-polygon-flat", "warning", "a polygon has no area", "It is nowhere drawn." },
	{ "hmap-vertex-near", "info", "vertices of a mesh almost coincide",
		"They are nearer than a hundredth of a unit: light and smoothing end between them.", fix = true },
	{ "hmap-tile", "warning", "a material has a tile without size", "1 counts." },
	{ "hmap-chunk", "error", "a chunk cannot be read",
		"It is kept as bytes, and the level is looked at without it." },
	{ "hmap-chunk-repeated", "warning", "a chunk comes twice", "The first counts." },
	{ "hmap-chunk-rest", "warning", "there are bytes behind what a chunk holds",
		"They are kept; readers pass over them." },
	{ "hmap-chunk-unknown", "info", "a chunk is not known", "It is kept as it is." },
	{ "hmap-flags", "warning", "the header's flags tell another content than there is",
		"Bit 0 says source, bit 1 compiled." },
	{ "hmap-id-zero", "warning", "something has the id of the world", "0 is the world's." },
	{ "hmap-id-repeated", "warning", "two things have one id",
		"Owners and compiled parts refer to things by id." },
	{ "hmap-id-range", "warning", "an id is not below the next free one",
		"An editor will give it to something else." },
	{ "hmap-owner", "warning", "an owner is no entity", "The thing counts as the world's." },
	{ "hmap-material", "warning", "a material is none", "The default one counts." },
	{ "hmap-utf8", "warning", "a text is no UTF-8", "The format wants UTF-8." },
	{ "hmap-tree", "error", "the tree does not know a brush where it is",
		"A point inside the brush is led to a leaf that does not list it: one falls through there.",
		fix = true },
	{ "hmap-tree-depth", "warning", "the tree is not as deep as the file says",
		"Readers may take that for the size of a stack.", fix = true },
	{ "hmap-limit", "info", "the tree is deep or a leaf full",
		"More than 40 nodes on a path, or 40 brushes in a leaf: questions take long." },
	{ "hmap-stale", "warning", "what is compiled is not what the source says",
		"The source is compiled again and compared: solids, mesh collision, lights, and the area that"
		.. " each material is drawn on, which must lie between all that can be seen and all there is."
		.. " Texture alignment and baked light are not compared. --fix compiles it again.", fix = true },
})

group("Entities", {
	{ "map-classname", "warning", "an entity has no classname", "Engines drop it." },
	{ "map-key-repeated", "warning", "an entity has a key twice",
		"Engines take the last, TrenchBroom the first. Wires may repeat." },
	{ "map-target-unknown", "warning", "nothing has the name that is targeted",
		"A target, killtarget or wire without anything at its other end does nothing." },
	{ "map-target-unused", "info", "nothing targets a name",
		"An entity with a targetname often waits to be used." },
	{ "map-limit", "info", "the level is past a limit of the original engine",
		"Newer engines have higher ones: 1024 entities, 256 brush models, 4096 brushes, 65536 bytes of"
		.. " entity text." },
})

--- The row of an id, or nil.
function M.find(id) return by_id[id] end

--- All ids in order.
function M.ids()
	local out = {}
	for i, r in ipairs(M) do out[i] = r.id end
	return out
end

return M
