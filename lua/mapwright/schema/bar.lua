--- Options of the Beyond All Reason target.
local M = {}

M.target = {
	name = "target.bar",
	{ name = "out", type = "string", required = true,
		doc = "The file to make: .sd7, .sdz or .sdd; its base name names the files inside." },
	{ name = "terrain", type = "terrain", required = true, doc = "What mw.terrain made." },
	{ name = "info", type = "table", class = "mapwright.mapinfo", required = true,
		doc = "Keys of mapinfo.lua in the engine's spelling: at least name, maxMetal, extractorRadius." },
	{ name = "starts", type = "points",
		doc = "Start positions in team order; land:start adds to them." },
	{ name = "map_name", type = "string",
		doc = "Base name of the .smf and .smt inside; the base name of `out` when absent." },
	{ name = "smt_split", type = "integer", min = 1, max = 1048576, unit = "tile",
		doc = "Most tiles in one tile file; further ones are made." },
	{ name = "minimap", type = "string", doc = "A picture for the minimap instead of the ground." },
	{ name = "builtin_types", type = "boolean", default = false,
		doc = "List all 17 built-in feature types as old tools do." },
	{ name = "feature_placer", type = "boolean", default = false,
		doc = "Place features by mapconfig/featureplacer/set.lua instead of the .smf." },
	{ name = "files", type = "table",
		doc = "Further files: {[\"path/in/map\"] = \"project/path\"}; a folder takes all below it." },
	{ name = "texts", type = "table",
		doc = "Further files made by the script: {[\"path/in/map\"] = \"contents\"}." },
	{ name = "quality", enum = { "fast", "normal", "best" },
		doc = "DXT1 level of the ground; --fast and --release change what is taken without it." },
	{ name = "strict", type = "boolean", default = false,
		doc = "Turn losses and warnings into errors." },
}

return M
