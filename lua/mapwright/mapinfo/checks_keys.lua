--- Checks of keys and their types against the schema.
local eval = require "mapwright.mapinfo.eval"
local schema = require "mapwright.schema.mapinfo"
local join = require "mapwright.mapinfo.source".join
local show = require "mapwright.mapinfo.show".lua
local suggest = require "mapwright.util.suggest"

local M = {}

local kind_text = { string = "text", int = "a whole number", float = "a number",
	bool = "true or false", float3 = "three numbers {a, b, c}", float4 = "four numbers {a, b, c, d}",
	strings = "a list of texts", table = "a table" }

local function short(v)
	local text = show(v):gsub("%s+", " ")
	return #text > 50 and text:sub(1, 47) .. "..." or text
end
M.short = short

local function section_of(path)
	return path:match "^(.*)%.[^.%[]*$" or (path:match "^(.*)%[" or "")
end

local function last_of(path) return path:match "([^.%[%]]+)%]?$" end

-- "lighting.groudSpecularColor" as the file spells it
local function spelled(c, path)
	local entry = c.find(path)
	local section = section_of(path)
	if entry and not entry.assigned and section ~= "" then
		return (schema.spelling(section) or section) .. "." .. entry.spelled
	end
	return entry and entry.spelled or path
end

-- The whole of a field with its separator, and its line when nothing else is on it.
local function removal(c, path)
	local entry = c.find(path)
	local f = entry and entry.field
	if not f or entry.source ~= c.source then return nil end
	local text = c.source.text
	local from, to = f.start, f.last
	local line_from = from
	while line_from > 1 and text:sub(line_from - 1, line_from - 1):match "[ \t]" do
		line_from = line_from - 1
	end
	local rest = text:match("^[ \t]*\r?\n()", to + 1) or text:match("^[ \t]*%-%-[^\n]*\n()", to + 1)
	if rest and (line_from == 1 or text:sub(line_from - 1, line_from - 1) == "\n") then
		from, to = line_from, rest - 1
	end
	return { { from, to, "" } }
end

local function replacement(c, path, text)
	local entry = c.find(path)
	local v = entry and entry.value
	if not v or not v.start or entry.source ~= c.source then return nil end
	return { { v.start, v.stop, text } }
end
M.replacement = replacement

local function unknown(c, path, value)
	local section = section_of(path)
	local name = spelled(c, path)
	local last = last_of(path)
	local near = #last > 2 and suggest(last, schema.names_in(section)) or ""
	local what = "neither the engine nor the known game Lua reads it"
	if section == "" and type(value) ~= "table" then
		what = "the engine only keeps it as an item for lobbies"
	end
	c.report("unknown-key", path, "unknown key '%s'%s: %s", name, near, what)
end

local walk

local function key(c, path, value)
	local row = schema.find(path)
	if row and row.unread then
		c.report("unused-key", path, "'%s' does nothing: %s%s", spelled(c, path), row.unread,
			row.instead and "; use " .. row.instead or "", { fix = removal(c, path) })
	elseif row and row.deprecated then
		c.report("deprecated-key", path, "'%s' is deprecated: %s%s", spelled(c, path), row.deprecated,
			row.instead and "; use " .. row.instead or "", { fix = removal(c, path) })
	elseif row then
		return
	elseif schema.is_section(path) then
		if type(value) == "table" then
			walk(c, path, value)
		else
			c.report("wrong-type", path, "'%s' = %s, but it is a section, a table of keys: the engine takes"
				.. " the defaults of all its keys", spelled(c, path), short(value))
		end
	else
		unknown(c, path, value)
	end
end

-- Indices are looked at by the checks of teams and terrain types.
function walk(c, path, t)
	for _, k in ipairs(eval.keys(t)) do
		local inner = join(path, k)
		if type(k) == "string" then
			local known_flat = c.result.loaded.tdf and path == ""
				and schema.find("resources." .. k) ~= nil
			if not (path == "" and schema.open[k]) and not known_flat
				and not ((path == "teams" or path == "terraintypes") and tonumber(k)) then
				key(c, inner, t[k])
			end
		elseif path == "teams" or path == "terraintypes" then
			if type(t[k]) == "table" then
				walk(c, inner, t[k])
			end
		elseif path == "" or schema.is_section(path) then
			c.report("unknown-key", inner, "a value without a name stands in %s: the engine does not"
				.. " look at it", path == "" and "the table" or "'" .. path .. "'")
		end
	end
end

local function types(c)
	local tdf = c.result.loaded.tdf
	for _, item in ipairs(c.effective()) do
		local row, v = item.row, item.given
		local name = v ~= nil and spelled(c, item.path)
		if v == nil then
			goto continue
		elseif item.note == "default" then
			local how = kind_text[row.type]
			if (row.type == "float3" or row.type == "float4") and type(v) == "table" then
				local keyed = next(v) ~= nil and type(next(v)) == "string"
				how = how .. (keyed and ", not by names" or (" (it has %d)"):format(#v))
			end
			c.report("wrong-type", item.path, "'%s' = %s must be %s: the engine takes its default %s", name,
				short(v), how, row.default_text or row.same_as or short(row.default), { value = true })
		elseif item.note == "no-number" then
			c.report("string-number", item.path, "'%s' = %s is no number: the engine reads %s", name,
				short(v), short(item.value), { value = true })
		elseif item.note == "text" and not tdf and row.type ~= "float3" and row.type ~= "float4" then
			c.report("number-as-string", item.path, "'%s' = %s is a number in quotes; write %s", name,
				short(v), short(item.value),
				{ value = true, fix = replacement(c, item.path, show(item.value)) })
		elseif item.note == "loose" and not tdf and not (row.numeric and type(v) == "number") then
			c.report("loose-boolean", item.path, "'%s' = %s counts as %s; write it so", name, short(v),
				tostring(item.value),
				{ value = true, fix = replacement(c, item.path, tostring(item.value)) })
		elseif item.note == "clamped" then
			c.report("value-clamped", item.path, "'%s' = %s: the engine makes %s of it%s", name,
				short(item.before or v), short(item.value), item.path == "atmosphere.minwind"
				and " (maxWind)" or (" (%s)"):format(row.max and row.min
				and ("%s..%s"):format(short(row.min), short(row.max))
				or row.min and "at least " .. short(row.min) or "never 0"), { value = true })
		elseif item.note == "ignored" then
			c.report("value-clamped", item.path,
				"'%s' counts only with water.normalTexture: the engine takes 4", name)
		end
		::continue::
	end
end

function M.run(c)
	if not c.info then return end
	walk(c, "", c.info)
	types(c)
end

return M
