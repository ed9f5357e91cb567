--- The order in which keys of mapinfo.lua are written: what names a map, then what it is, then the
--- sections; inside of those the schema's own. Keys are matched without regard to case and written
--- as they are given.
local schema = require "mapwright.schema.mapinfo"

local head = { "name", "shortname", "description", "author", "version", "mapfile", "modtype",
	"depend",
	"replace" }
local sections = { "smf", "resources", "splats", "atmosphere", "grass", "lighting", "water",
	"sound",
	"terrainTypes", "teams", "pfs", "custom", "defaultoptions" }

local placed, top = {}, {}
for _, list in ipairs { head, sections } do
	for _, name in ipairs(list) do placed[name] = true end
end
table.move(head, 1, #head, 1, top)
for _, name in ipairs(schema.names_in "") do
	if not placed[name] then top[#top + 1] = name end
end
table.move(sections, 1, #sections, #top + 1, top)

local M = { [""] = top }
for name, path in next, { smf = "smf", resources = "resources", splats = "splats",
	atmosphere = "atmosphere", grass = "grass", lighting = "lighting", water = "water",
	terraintypes = "terraintypes[0]", movespeeds = "terraintypes[0].movespeeds", teams = "teams[0]",
	startpos = "teams[0].startpos", sound = "sound", passfilter = "sound.passfilter",
	qtpfsconstants = "pfs.qtpfsconstants" } do
	M[name] = schema.names_in(path)
end

return M
