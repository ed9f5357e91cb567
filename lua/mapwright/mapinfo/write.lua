--- Writing mapinfo.lua from a table: fixed key order, text that Lua 5.1 with float32 numbers reads
--- as it was meant, and the tail that lets mapconfig/mapinfo/*.lua override it.
local base = require "mapwright.core".base
local errors = require "mapwright.errors"
local order = require "mapwright.mapinfo.order"

local M = {}

local FLOAT_MAX = 3.4028234663852886e38
local INLINE = 72 -- tables whose text is no longer are written on one line
local DEPTH = 64

local keywords = {}
for word in ([[and break do else elseif end false for function if in local nil not or repeat return
	then true until while]]):gmatch "%a+" do
	keywords[word] = true
end

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

local function quote(s)
	local escapes = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ['"'] = '\\"',
		["\\"] = "\\\\" }
	-- only what Lua 5.1 knows: no \x, no \z; bytes above 127 stay as they are
	return '"' .. s:gsub('[%c"\\\127]', function(c)
		return escapes[c] or ("\\%03d"):format(c:byte())
	end) .. '"'
end

local function key_text(key)
	if math.type(key) then return ("[%d]"):format(key) end
	if key:match "^[%a_][%w_]*$" and not keywords[key] then return key end
	return "[" .. quote(key) .. "]"
end

local function number_text(v, path)
	if v ~= v or v > FLOAT_MAX or v < -FLOAT_MAX then
		errors.fail("mapinfo: %s = %s: the engine's numbers are float32 and must be finite", path,
			tostring(v))
	end
	local whole = math.tointeger(v)
	if whole then return ("%d"):format(whole) end
	return base.float32_text(v)
end

-- Numbers inside names are compared as numbers: smtFileName2 before smtFileName10.
local function natural(a, b)
	local stem_a, digits_a = a:match "^(.-)(%d*)$"
	local stem_b, digits_b = b:match "^(.-)(%d*)$"
	if stem_a == stem_b and #digits_a ~= #digits_b then return #digits_a < #digits_b end
	return a < b
end

local function ranks_of(section)
	local ranks = {}
	for i, name in ipairs(order[section] or {}) do ranks[name:lower()] = i end
	return ranks
end

-- Keys in the order of writing: integers, known keys, unknown ones. At the top the unknown scalars
-- come before the known sections.
local function sorted_keys(t, section, path)
	local ranks, keys, lowered = ranks_of(section), {}, {}
	for key in next, t do
		if type(key) == "string" then
			local lower = key:lower()
			if lowered[lower] then
				local one, two = key, lowered[lower]
				if two < one then one, two = two, one end
				errors.fail("mapinfo: %s has both '%s' and '%s', which are one key to the engine",
					path == "" and "the table" or path, one, two)
			end
			lowered[lower] = key
		elseif not (math.type(key) and math.tointeger(key)) then
			errors.fail("mapinfo: %s has a key that is a %s; the engine reads names and whole numbers",
				path == "" and "the table" or path, type(key))
		end
		keys[#keys + 1] = key
	end
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

local put_table

-- Text of a value at a depth; tables on one line when they are short and inline is allowed.
local function value_text(v, section, path, depth, open)
	local kind = type(v)
	if kind == "string" then return quote(v) end
	if kind == "boolean" then return tostring(v) end
	if kind == "number" then return number_text(v, path) end
	if kind ~= "table" or getmetatable(v) and getmetatable(v).__name then
		errors.fail("mapinfo: %s is a %s; the engine reads numbers, strings, booleans and tables",
			path, kind)
	end
	if open[v] then errors.fail("mapinfo: %s contains itself", path) end
	if depth > DEPTH then errors.fail("mapinfo: %s is nested too deeply", path) end
	open[v] = true
	local text = put_table(v, section, path, depth, open)
	open[v] = nil
	return text
end

function put_table(t, section, path, depth, open)
	local keys = sorted_keys(t, section, path)
	local list = is_list(keys, section)
	local items, total, long = {}, 0, depth == 1 and not list
	for i, key in ipairs(keys) do
		local name = math.type(key) and (indexed[section] and section or "") or key:lower()
		local inner = path == "" and tostring(key)
			or path .. (math.type(key) and ("[%d]"):format(key) or "." .. key)
		-- elements of teams and terrainTypes have the keys of their section
		local text = value_text(t[key], math.type(key) and name or order[name] and name or "?",
			inner, depth + 1, open)
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

-- What would load, but not as anyone meant it.
local function check(info)
	for key, value in next, info do
		local lower = type(key) == "string" and key:lower()
		-- measured: the scanner writes such a key into its cache as a bare name
		if lower and type(value) ~= "table" and key_text(lower) ~= lower then
			errors.fail("mapinfo: '%s' is no plain name; it would break the engine's archive cache"
				.. " for every map", key)
		end
		if (lower == "name" or lower == "version") and type(value) ~= "string" then
			errors.fail("mapinfo: %s must be a string, got %s; the engine makes \"%.6f\" of a number",
				key, type(value), tonumber(value) or 1)
		end
		if lower == "name" and (value == "" or value:find ";") then
			errors.fail(value == "" and "mapinfo: name is empty; the engine would not list the map"
				or "mapinfo: name '%s' holds a ';', which no start script can say", value)
		end
	end
end

--- Text of a mapinfo.lua.
---@param info table keys are the engine's, in any case; numbers, strings, booleans, tables
---@param options? { tail: boolean? } tail = false leaves out the overrides
---@return string
function M.write(info, options)
	check(info)
	local text = "local mapinfo = " .. value_text(info, "", "", 0, {}) .. "\n"
	if options and options.tail == false then return text .. "\nreturn mapinfo\n" end
	return text .. tail
end

return M
