--- Targets: what a script makes. Declaring one only notes it; it is made after the script ended.
local M = {}

local kinds = { bar = "mapwright.target.bar" }

return setmetatable(M, {
	__names = { "bar" },
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
