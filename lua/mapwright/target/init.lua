--- Targets: what a script makes. Declaring one only notes it; it is made after the script ended.
local M = {}

local kinds = { bar = "mapwright.target.bar", hmap = "mapwright.target.hmap",
	quake_map = "mapwright.target.quake_map" }

--- A Beyond All Reason map: see mapwright.target.bar.
---@type fun(given: mapwright.options.bar.target)
M.bar = nil

--- A level of the Quake family: see mapwright.target.quake_map.
---@type fun(given: mapwright.options.quake_map.target)
M.quake_map = nil

require "mapwright.opts".parts[M] = true

return setmetatable(M, {
	__names = { "bar", "hmap", "quake_map" },
	__index = function(t, name)
		local module = kinds[name]
		if not module then
			require "mapwright.errors".fail("mw.target.%s does not exist%s", tostring(name),
				require "mapwright.util.suggest" (name, kinds))
		end
		local declare = require(module).declare
		rawset(t, name, declare)
		return declare
	end,
})
