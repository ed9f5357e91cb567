--- Options of .hmap levels: what compiling takes, and the target.
local M = {}

local compile = {
	{ name = "content", enum = { "source", "compiled", "both" }, default = "both",
		doc = "What the file holds: what an editor needs, what a game needs, or both." },
	{ name = "bake_light", type = "boolean", default = false,
		doc = "Light the vertices, with shadows." },
	{ name = "light_grid", type = "number", default = 0, min = -1, max = 1e6,
		unit = "scene unit",
		doc = "Faces are cut along a grid of this width for that; 0: 4 metres, -1: not at all." },
	{ name = "bevels", enum = { "none", "axial", "edge" }, default = "axial",
		doc = "Extra planes that make box sweeps against slanted brushes right." },
	{ name = "keep_hidden", type = "boolean", default = false,
		doc = "Keep faces that other brushes hide." },
	{ name = "skip_sky", type = "boolean", default = false,
		doc = "Leave faces of sky brushes out of the batches." },
	{ name = "leaf_size", type = "integer", default = 4, min = 1, max = 64,
		doc = "Cells of the tree with so few brushes are not split." },
	{ name = "max_depth", type = "integer", default = 40, min = 1, max = 64,
		doc = "Most nodes on a path through the tree." },
}

--- What `convert --set name=value` takes.
M.convert = { name = "hmap" }
for _, row in ipairs(compile) do M.convert[#M.convert + 1] = row end

M.target = {
	name = "target.hmap",
	{ name = "out", type = "string", required = true, doc = "The file to make." },
	{ name = "scene", type = "scene", required = true, doc = "What mw.scene made." },
}
for _, row in ipairs(compile) do M.target[#M.target + 1] = row end
M.target[#M.target + 1] = { name = "strict", type = "boolean", default = false,
	doc = "Turn losses and warnings into errors." }

return M
