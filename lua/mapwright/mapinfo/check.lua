--- What a mapinfo table must be to be written at all: `check(info)` raises at the user's line for
--- anything that Lua 5.1 could not read back or that breaks the engine outright. What is merely
--- doubtful is for lint.
local errors = require "mapwright.errors"
local is_name = require "mapwright.util.luatext".is_name
local show = require "mapwright.opts".show

local FLOAT_MAX = 3.4028234663852886e38
local DEPTH = 64

local function child(path, key)
	if math.type(key) then return ("%s[%d]"):format(path, key) end
	return is_name(key) and ("%s.%s"):format(path, key) or ("%s[%q]"):format(path, key)
end

local function check_key(key, path)
	if type(key) == "string" then
		if key:find "%z" then errors.fail("%s has a key with a zero byte", path) end
	elseif not (math.type(key) and math.tointeger(key)) then
		errors.fail("%s has a key that is a %s; keys are names and whole numbers", path,
			math.type(key) and "fraction" or type(key))
	end
end

local check_value

local function check_table(t, path, open, depth)
	local seen = {}
	for key, value in next, t do
		check_key(key, path)
		local lower = type(key) == "string" and key:lower()
		if lower and seen[lower] then
			local one, two = key, seen[lower]
			if two < one then one, two = two, one end
			errors.fail("%s has both '%s' and '%s', which are one key to the engine", path, one, two)
		end
		seen[lower or key] = key
		check_value(value, child(path, key), open, depth)
	end
end

function check_value(v, path, open, depth)
	local kind = type(v)
	if kind == "number" then
		if v ~= v or v > FLOAT_MAX or v < -FLOAT_MAX then
			errors.fail("%s = %s: the engine's numbers are float32 and must be finite", path, show(v))
		end
	elseif kind == "string" then
		if v:find "%z" then errors.fail("%s holds a zero byte, where the engine ends it", path) end
	elseif kind == "table" and not (getmetatable(v) or {}).__name then
		if open[v] then errors.fail("%s is a table that contains itself", path) end
		if depth > DEPTH then errors.fail("%s is nested deeper than %d tables", path, DEPTH) end
		open[v] = true
		check_table(v, path, open, depth + 1)
		open[v] = nil
	elseif kind ~= "boolean" then
		errors.fail("%s is %s; mapinfo holds numbers, strings, booleans and tables of them", path,
			show(v))
	end
end

-- The archive scanner reads the top level: names of maps, and every other scalar for lobbies.
local function check_top(info)
	for key, value in next, info do
		local lower = type(key) == "string" and key:lower()
		-- measured: the scanner writes such a key into its cache as a bare name
		if lower and type(value) ~= "table" and not is_name(lower) then
			errors.fail("info[%q]: not a plain name; the engine could no longer read its archive cache",
				key)
		end
		if (lower == "name" or lower == "version") and type(value) ~= "string" then
			errors.fail("info.%s must be a string, got %s%s", key, show(value),
				type(value) == "number" and (": the engine makes '%f' of it"):format(value) or "")
		end
		if lower == "name" and value == "" then
			errors.fail("info.%s is empty: the engine does not list the map", key)
		elseif lower == "name" and value:find(";", 1, true) then
			errors.fail("info.%s = %s holds ';', which no start script can say", key, show(value))
		end
	end
end

return function(info)
	check_value(info, "info", {}, 0)
	check_top(info)
end
