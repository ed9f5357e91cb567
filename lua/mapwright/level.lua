--- Levels of any kind that can be read, as scenes.
local format = require "mapwright.format"
local errors = require "mapwright.errors"
local opts = require "mapwright.opts"
local project = require "mapwright.project"

local M = {}

--- Read a level file (.map, .hmap) as a scene, to add to it and write it again.
---@param path string relative to the script
---@param given? mapwright.options.quake_map.read
---@return mapwright.scene
function M.level(path, given)
	if type(path) ~= "string" then
		errors.fail("level: expected the path of a level file, got %s", opts.show(path))
	end
	local file = project.input(path)
	local row = format.of(file)
	if not row.load then errors.fail("level: %s: a %s cannot be read as a level", path, row.title) end
	local settings = opts.check(row.reading or { name = "level" }, given)
	if settings.textures then settings.textures = project.resolve(settings.textures) end
	return require "mapwright.scene".of((row.load(file, settings)))
end

return M
