--- Option tables checked against schema rows. A row is data:
---   { name = "radius", type = "number", default = 48, min = 1, max = 4096, unit = "elmo",
---     required = false, doc = "one sentence" }
--- `type` is a name of `M.types` or a list of names (any of them may match); `enum` lists the
--- allowed strings; `of` the element type of a list; `fields` the schema of a nested table; `check`
--- is a function(value) -> value or nil, message. Documentation and editor definitions are made
--- from the same rows. A schema may carry `name` (its words in messages) and `open = true` (unknown
--- names pass).
local errors = require "mapwright.errors"
local suggest = require "mapwright.util.suggest"
local number_text = require "mapwright.core".base.number_text

--- Tables of the library such as mw.noise: no options, but first arguments of calls with ':'.
local M = { parts = setmetatable({}, { __mode = "k" }) }

local function class_of(v)
	local meta = getmetatable(v)
	return type(meta) == "table" and meta.__name or nil
end

local function finite(v)
	return type(v) == "number" and v == v and v ~= math.huge and v ~= -math.huge
end

local function to_color(v)
	if type(v) == "string" then
		local r, g, b = v:match "^#(%x%x)(%x%x)(%x%x)$"
		if not r then return nil end
		return { tonumber(r, 16) / 255, tonumber(g, 16) / 255, tonumber(b, 16) / 255 }
	end
	if type(v) ~= "table" or #v ~= 3 then return nil end
	for i = 1, 3 do
		if not finite(v[i]) or v[i] < 0 or v[i] > 1 then return nil end
	end
	return { v[1], v[2], v[3] }
end

local function to_point(v)
	if type(v) ~= "table" then return nil end
	local x, z = v.x or v[1], v.z or v[2]
	if not finite(x) or not finite(z) then return nil end
	return { x = x, z = z }
end

local show

-- Why a table is no plain list, or nil: ipairs would stop at a hole and say nothing.
local function list_flaw(v)
	local n, count = #v, 0
	for k in next, v do
		if math.type(k) ~= "integer" or k < 1 or k > n then
			return type(k) == "string" and ("has the key '%s', a list has none"):format(k)
				or ("has nothing at [%d]; is there a nil in it?"):format(n + 1)
		end
		count = count + 1
	end
	if count == n then return nil end
	for i = 1, n do
		if rawget(v, i) == nil then return ("has nothing at [%d]; is there a nil in it?"):format(i) end
	end
end

local function to_points(v)
	if type(v) ~= "table" or class_of(v) or #v == 0 then return nil end
	local flaw = list_flaw(v)
	if flaw then return nil, flaw end
	local out = {}
	for i, p in ipairs(v) do
		out[i] = to_point(p)
		if not out[i] then
			return nil, ("[%d] must be a position {x = , z = }, got %s"):format(i, show(p))
		end
	end
	return out
end

local function to_list(v)
	if type(v) ~= "table" or class_of(v) then return nil end
	local flaw = list_flaw(v)
	if flaw then return nil, flaw end
	return v
end

local function to_mirror(v)
	if v == "x" or v == "z" or v == "point" or v == "quad" then return v end
	if type(v) == "table" and math.type(v.n) == "integer" and v.n >= 2 and v.n <= 16 then
		return { n = v.n }
	end
	return nil
end

local function plain(kind)
	return function(v)
		if type(v) == kind then return v end
		return nil
	end
end

--- name -> { convert = function(v) -> value or nil and why not, text = "a number" }
M.types = {
	number = { text = "a number", convert = function(v) return finite(v) and v or nil end },
	integer = {
		text = "a whole number",
		convert = function(v) return finite(v) and math.tointeger(v) or nil end,
	},
	string = { text = "a string", convert = plain "string" },
	table = { text = "a table", convert = plain "table" },
	list = { text = "a list", convert = to_list },
	["function"] = { text = "a function", convert = plain "function" },
	color = { text = 'a colour ("#rrggbb" or {r, g, b} in 0..1)', convert = to_color },
	point = { text = "a position {x = , z = }", convert = to_point },
	points = { text = "a list of positions {x = , z = }", convert = to_points },
	mirror = { text = 'one of "x", "z", "point", "quad", {n = 3}', convert = to_mirror },
	pair = {
		text = "two numbers {a, b}",
		convert = function(v)
			return type(v) == "table" and #v == 2 and finite(v[1]) and finite(v[2]) and v or nil
		end,
	},
	triple = {
		text = "three numbers {a, b, c}",
		convert = function(v)
			return type(v) == "table" and #v == 3 and finite(v[1]) and finite(v[2])
				and finite(v[3]) and v or nil
		end,
	},
}

--- Add a type whose values are objects with metatable __name `class`.
function M.define_class(name, class, text)
	M.types[name] = {
		text = text or "a " .. name,
		convert = function(v) return class_of(v) == class and v or nil end,
	}
end

M.define_class("field", "mapwright.field")
M.define_class("source", "mapwright.source")
M.define_class("image", "mapwright.image", "an image")
M.define_class("terrain", "mapwright.terrain")
M.define_class("scene", "mapwright.scene")
M.define_class("brushes", "mapwright.brushes", "brushes")
M.define_class("mesh", "mapwright.mesh")
M.define_class("material", "mapwright.material", "a material (what scene:material made)")

-- A table in a message: its first items, tables within it only as such.
local function show_table(t)
	local parts, names, n = {}, {}, rawlen(t)
	for i = 1, math.min(n, 4) do
		local v = rawget(t, i)
		parts[i] = type(v) == "table" and not class_of(v) and "{...}" or show(v)
	end
	for k in next, t do
		if type(k) == "string" then names[#names + 1] = k end
	end
	table.sort(names)
	for i = 1, math.min(#names, 4 - #parts) do
		local v = rawget(t, names[i])
		parts[#parts + 1] = ("%s = %s"):format(names[i],
			type(v) == "table" and not class_of(v) and "{...}" or show(v))
	end
	if n + #names > #parts then parts[#parts + 1] = "..." end
	return "{" .. table.concat(parts, ", ") .. "}"
end

-- How a wrong value is shown: short, on one line, never an address.
function show(v)
	local kind = type(v)
	if kind == "number" then return number_text(v) end
	if kind == "string" then
		if #v > 40 then v = v:sub(1, 37):gsub("[\192-\247][\128-\191]*$", "") .. "..." end
		return "'" .. v:gsub("%c", function(c) return ("\\%d"):format(c:byte()) end) .. "'"
	end
	if kind == "boolean" or kind == "nil" then return tostring(v) end
	local class = class_of(v)
	if class then return "a " .. class:gsub("^mapwright%.", "") end
	return kind == "table" and show_table(v) or "a " .. kind
end
M.show = show

local function quoted(list)
	local out = {}
	for i, v in ipairs(list) do out[i] = ("'%s'"):format(v) end
	return table.concat(out, ", ")
end

local function range_text(row)
	local lo, hi = row.min and number_text(row.min) or "", row.max and number_text(row.max) or ""
	local plural = row.unit and (row.unit == "px" or row.unit:find("/", 1, true)) and "" or "s"
	local unit = row.unit and " " .. row.unit .. plural or ""
	return ("%s..%s%s"):format(lo, hi, unit)
end

local function type_names(row)
	return type(row.type) == "table" and row.type or { row.type }
end

-- " (known: a, b, c)"
local function listed(schema)
	local names = {}
	for i, row in ipairs(schema) do names[i] = row.name end
	return names[1] and " (known: " .. table.concat(names, ", ") .. ")" or ""
end

local check

-- value or nil, problem (worded to follow "'name' ")
local function check_value(row, v, what)
	if row.enum then
		if type(v) == "string" then
			for _, allowed in ipairs(row.enum) do
				if v == allowed then return v end
			end
		end
		if not row.type or type(v) == "string" then
			return nil, ("must be one of %s, got %s%s"):format(quoted(row.enum), show(v),
				suggest(v, row.enum))
		end
	end
	local names, texts = type_names(row), {}
	for i, name in ipairs(names) do
		local kind = name == "boolean" or name == "any" or M.types[name]
		assert(kind, name)
		if name == "any" then return v end
		if name == "boolean" then
			if type(v) == "boolean" then return v end
			texts[i] = "true or false"
		else
			local out, flaw = kind.convert(v)
			if flaw then
				return nil, flaw
			elseif out ~= nil then
				if (name == "number" or name == "integer")
					and ((row.min and out < row.min) or (row.max and out > row.max)) then
					return nil, ("= %s is outside %s"):format(show(v), range_text(row))
				end
				if row.fields and type(out) == "table" then
					out = check(row.fields, out, ("%s: %s"):format(what, row.name))
				elseif row.of and type(out) == "table" then
					local list = {}
					for k, item in ipairs(out) do
						local element = { name = ("%s[%d]"):format(row.name, k), type = row.of,
							min = row.min, max = row.max, unit = row.unit, fields = row.item }
						local problem
						list[k], problem = check_value(element, item, what)
						if list[k] == nil then return nil, ("[%d] %s"):format(k, problem) end
					end
					out = list
				end
				return out
			end
			texts[i] = kind.text
			if name == "integer" and finite(v) then
				return nil, ("= %s is not a whole number"):format(show(v))
			end
		end
	end
	return nil, ("must be %s, got %s"):format(table.concat(texts, " or "), show(v))
end

function check(schema, given, what)
	if M.parts[given] or class_of(given) == "mapwright" then
		errors.fail("%s: called with ':'; write mw.%s{...} with '.'", what, what)
	elseif type(given) ~= "table" or class_of(given) then
		errors.fail("%s: expected an option table { name = value, ... }, got %s", what, show(given))
	end
	local rows, out = {}, {}
	for _, row in ipairs(schema) do rows[row.name] = row end
	local unknown = {}
	for name in next, given do
		if not rows[name] then
			if schema.open then
				out[name] = given[name]
			elseif not (schema.positional and type(name) == "number") then
				unknown[#unknown + 1] = type(name) == "string" and name or show(name)
			end
		end
	end
	if unknown[1] then
		table.sort(unknown)
		if tonumber(unknown[1]) then
			errors.fail("%s: value %s has no name; options are written name = value", what, unknown[1])
		end
		local near = suggest(unknown[1], rows)
		errors.fail("%s: unknown option '%s'%s", what, unknown[1], near ~= "" and near or listed(schema))
	end
	for _, row in ipairs(schema) do
		local v = given[row.name]
		if v == nil then
			if row.required then
				errors.fail("%s: '%s' is required%s", what, row.name,
					row.doc and " (" .. row.doc:gsub("%.$", "") .. ")" or "")
			end
			v = row.default
			if type(v) == "table" then v = table.move(v, 1, #v, 1, {}) end
			out[row.name] = v
		else
			local value, problem = check_value(row, v, what)
			if problem == nil and row.check then value, problem = row.check(value) end
			if problem then
				errors.fail("%s: '%s' %s", what, row.name, problem)
			end
			out[row.name] = value
		end
	end
	if schema.positional then
		for i, v in ipairs(given) do out[i] = v end
	end
	return out
end

--- A copy of `given` with defaults filled in and values converted (colours to {r, g, b}, positions
--- to {x, z}). Raises at the user's line: "room: unknown option 'wal' (did you mean 'wall'?)".
---@param schema table[]
---@param given table
---@param what? string words for messages; the schema's name otherwise
function M.check(schema, given, what)
	return check(schema, given == nil and {} or given, what or schema.name)
end

--- One positional value against a row, the same messages.
function M.value(row, v, what)
	local value, problem = check_value(row, v, what)
	if problem == nil and row.check then value, problem = row.check(value) end
	if problem then
		errors.fail("%s: %s %s", what, row.name and "'" .. row.name .. "'" or "value", problem)
	end
	return value
end

return M
