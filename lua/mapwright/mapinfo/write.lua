--- Writing mapinfo.lua from a table: fixed key order, text that Lua 5.1 with float32 numbers reads
--- as it was meant, and the tail that lets mapconfig/mapinfo/*.lua override it.
local base = require "mapwright.core".base
local check = require "mapwright.mapinfo.check"
local luatext = require "mapwright.util.luatext"
local order = require "mapwright.mapinfo.order"

local INLINE = 72 -- tables whose text is no longer are written on one line

-- The tail is the same for every map. `mapinfo` must be the first statement of the file (readers
-- that do not run Lua look for it there), and nothing here may fail where only the text is run,
-- without the map's own files: the engine's archive scanner does that.
local tail = [[

-- What follows is the same in every map: keys in lower case, then the overrides of
-- mapconfig/mapinfo/*.lua, which return a table or change the global `mapinfo`.
local function lowerkeys(from)
	local to = {}
	for key, value in pairs(from) do
		if type(value) == "table" then value = lowerkeys(value) end
		local lower = type(key) == "string" and key:lower() or key
		if lower == key or from[lower] == nil then to[lower] = value end
	end
	return to
end

local function tmerge(to, from)
	for key, value in pairs(from) do
		if type(value) == "table" and type(to[key]) == "table" then
			tmerge(to[key], value)
		else
			to[key] = value
		end
	end
end

mapinfo = lowerkeys(mapinfo)

if Spring and VFS and VFS.DirList then
	local env = getfenv and getfenv() or _G
	if not Spring.GetMapOptions then
		Spring.GetMapOptions = function() return {} end
	end
	env.tobool = function(value)
		if type(value) == "string" then value = value:lower() end
		return value ~= nil and value ~= false and value ~= 0 and value ~= "" and value ~= "0"
			and value ~= "false"
	end
	env.mapinfo = mapinfo
	local files = VFS.DirList("mapconfig/mapinfo/", "*.lua") or {}
	table.sort(files)
	for _, file in ipairs(files) do
		local changes = VFS.Include(file)
		if type(changes) == "table" then tmerge(mapinfo, lowerkeys(changes)) end
	end
	env.mapinfo = nil
end

return mapinfo
]]

local function key_text(key)
	if math.type(key) then return ("[%d]"):format(key) end
	return luatext.is_name(key) and key or "[" .. luatext.quote(key) .. "]"
end

-- Shortest text that the engine's float32 reads back; whole numbers without ".0".
local function number_text(v)
	local whole = math.tointeger(v)
	return whole and ("%d"):format(whole) or base.float32_text(v)
end

-- Numbers inside names are compared as numbers: smtFileName2 before smtFileName10.
local function natural(a, b)
	local stem_a, digits_a = a:match "^(.-)(%d*)$"
	local stem_b, digits_b = b:match "^(.-)(%d*)$"
	if stem_a ~= stem_b then return stem_a < stem_b end
	if #digits_a ~= #digits_b then return #digits_a < #digits_b end
	return a < b
end

local function ranks_of(section)
	local ranks = {}
	for i, name in ipairs(order[section] or {}) do ranks[name:lower()] = i end
	return ranks
end

-- Keys in the order of writing: integers, known keys, unknown ones. At the top the unknown scalars
-- come before the known sections.
local function sorted_keys(t, section)
	local ranks, keys = ranks_of(section), {}
	for key in next, t do keys[#keys + 1] = key end
	local function class(key)
		if math.type(key) then return 0, key end
		local rank = ranks[key:lower()]
		if section == "" and type(t[key]) == "table" and not (rank and rank <= ranks.replace) then
			return rank and 3 or 4, rank
		end
		return rank and 1 or 2, rank
	end
	table.sort(keys, function(a, b)
		local class_a, rank_a = class(a)
		local class_b, rank_b = class(b)
		if class_a ~= class_b then return class_a < class_b end
		if rank_a and rank_b then return rank_a < rank_b end
		return natural(a, b)
	end)
	return keys
end

local indexed = { teams = true, terraintypes = true } -- always [0] = ..., [1] = ...

local function is_list(keys, section)
	if indexed[section] then return false end
	for i, key in ipairs(keys) do
		if key ~= i then return false end
	end
	return true
end

local table_text

-- Text of a value at a depth of tables.
local function value_text(v, section, depth)
	local kind = type(v)
	if kind == "table" then return table_text(v, section, depth) end
	return kind == "string" and luatext.quote(v) or kind == "number" and number_text(v) or tostring(v)
end

function table_text(t, section, depth)
	local keys = sorted_keys(t, section)
	local list = is_list(keys, section)
	local items, total, long = {}, 0, depth == 1 and not list
	for i, key in ipairs(keys) do
		-- elements of teams and terrainTypes have the keys of their section
		local name = math.type(key) and section or key ~= "" and key:lower() or "?"
		local text = value_text(t[key], order[name] and name or "?", depth + 1)
		items[i] = list and text or key_text(key) .. " = " .. text
		total = total + #items[i] + 2
		long = long or items[i]:find("\n", 1, true) ~= nil
	end
	if #items == 0 then return "{}" end
	if depth > 0 and not long and total <= INLINE then
		return "{ " .. table.concat(items, ", ") .. " }"
	end
	local tab = ("\t"):rep(depth + 1)
	return "{\n" .. tab .. table.concat(items, ",\n" .. tab) .. ",\n" .. ("\t"):rep(depth) .. "}"
end

--- Text of a mapinfo.lua.
---@param info table keys are the engine's, in any case; numbers, strings, booleans, tables
---@param options? { tail: boolean? } tail = false leaves out the overrides
---@return string
return function(info, options)
	check(info)
	local text = "local mapinfo = " .. value_text(info, "", 0) .. "\n"
	if options and options.tail == false then return text .. "\nreturn mapinfo\n" end
	return text .. tail
end
