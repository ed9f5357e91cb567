-- The names in lua/meta/core.lua and those of the C tables, both ways: part of check_docs.lua.
--   dofile "scripts/check_core.lua" (fault), before anything adds methods in Lua

local META = "lua/meta/core.lua"

-- Before Lua adds its methods: tables of the core, and userdata with methods of their own.
local function private()
	local core, found = require "mapwright.core", {}
	for name, members in pairs(core) do
		for member in pairs(members) do found[("core.%s.%s"):format(name, member)] = true end
	end
	for name, class in pairs(debug.getregistry()) do
		if type(name) == "string" and name:match "^mapwright%." and type(class) == "table" then
			for member, value in pairs(class) do
				if type(value) == "function" and not member:match "^__" then
					found[("%s:%s"):format(name, member)] = true
				end
			end
		end
	end
	return found
end

-- "core.image.get" of a class that mapwright.core has as a field, "mapwright.rng:unit" of a
-- userdata, which is named in the comment above its class, or by the class itself.
local function described(path)
	local found, table_of, userdata, class = {}, {}, nil, nil
	for line in io.lines(path) do
		local name = line:match "^%-%-%-@class ([%w_.]+)"
		local field, kind = line:match "^%-%-%-@field ([%w_]+) ([%w_.]+)"
		if name then
			class = table_of[name] and "core." .. table_of[name] .. "." or (userdata or name) .. ":"
		elseif field and class == "mapwright.core:" then
			table_of[kind] = field
		elseif field then
			found[class .. field] = true
		end
		userdata = line:match '^%-%-%- Userdata "([%w_.]+)"'
	end
	return found
end

-- Names of one set that the other lacks, in order.
local function lacking(set, other)
	local list = {}
	for name in pairs(set) do
		if not other[name] then
			list[#list + 1] = name
		end
	end
	table.sort(list)
	return list
end

return function(fault)
	local held, written = private(), described(META)
	for _, name in ipairs(lacking(held, written)) do
		fault("%s: %s is not described", META, name)
	end
	for _, name in ipairs(lacking(written, held)) do
		fault("%s: %s does not exist", META, name)
	end
end
