--- mw.mapinfo: the info of maps that exist already.
local errors = require "mapwright.errors"

local M = {}

local function evaluate(path, options)
	local site = require "mapwright.mapinfo.site".open(path)
	local given = {}
	for name, value in next, options or {} do given[tostring(name)] = tostring(value) end
	local result = require "mapwright.mapinfo.eval".evaluate(site, given)
	site.close()
	if result.failure then
		local f = result.failure
		errors.raise("format", "%s: %s", (f.file and f.file ~= "" and site.label(f.file) or path)
			.. (f.line and ":" .. f.line or ""), f.message)
	end
	return result
end

--- The table that a map's mapinfo.lua returns while a game loads, keys in lower case, overrides
--- merged in: from a lone file, a .sdd folder, .sdz, .sd7 or an old .smd.
---@param path string relative to the build script
---@param options? table<string, string> values of the map's options
---@return table info
function M.read(path, options)
	if type(path) ~= "string" then
		errors.fail("mapinfo.read: expected a path, got %s", require "mapwright.opts".show(path))
	end
	if options ~= nil and type(options) ~= "table" then
		errors.fail("mapinfo.read: expected a table of map options, got %s",
			require "mapwright.opts".show(options))
	end
	return evaluate(require "mapwright.project".input(path), options).info
end

return M
