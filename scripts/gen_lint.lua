-- Rules and keys as documents: the lists of man/mapwright-lint.7 and the editor's class of a
-- mapinfo table, lua/meta/mapinfo.gen.lua, from mapwright.mapinfo.rules,
-- mapwright.levellint.rules and mapwright.schema.mapinfo.
--
--   mapwright lua scripts/gen_lint.lua [--check]
--
-- With --check nothing is written and a difference is an error.
local number_text = require "mapwright.core".base.number_text
local map_rules = require "mapwright.mapinfo.rules"
local level_rules = require "mapwright.levellint.rules"
local schema = require "mapwright.schema.mapinfo"

local check, stale = arg[1] == "--check", {}

local function read(path)
	local file = io.open(path, "rb")
	if not file then return nil end
	local text = file:read "a"
	file:close()
	return text
end

local function put(path, text)
	if read(path) == text then return end
	if check then
		stale[#stale + 1] = path
		return
	end
	local file = assert(io.open(path, "wb"))
	assert(file:write(text))
	assert(file:close())
	print("wrote " .. path)
end

-- Text for mdoc: nothing at the start of a line is taken for a macro, sentences on their own lines.
local function roff(text)
	text = text:gsub("\\", "\\e"):gsub("([.!?]%)?) (%u)", "%1\n%2")
	return (text:gsub("^([.'])", "\\&%1"):gsub("\n([.'])", "\n\\&%1"))
end

local function rule_list(rules)
	local out, group = {}, nil
	for _, r in ipairs(rules) do
		if r.group ~= group then
			if group then out[#out + 1] = ".El" end
			group = r.group
			out[#out + 1] = ".Ss " .. group:gsub("^%.", "\\&.")
			out[#out + 1] = ".Bl -tag -width Ds"
		end
		out[#out + 1] = ".It Cm " .. r.id
		out[#out + 1] = ("%s%s%s: %s."):format(r.severity:gsub("^%l", string.upper),
			r.profile and ", profile " .. r.profile or "", r.fix and ", mended by --fix" or "", r.title)
		out[#out + 1] = roff(r.text)
	end
	out[#out + 1] = ".El"
	return table.concat(out, "\n") .. "\n"
end

local function value_text(v)
	if type(v) == "table" then
		local parts = {}
		for i, x in ipairs(v) do parts[i] = number_text(x) end
		return table.concat(parts, " ")
	end
	return type(v) == "number" and number_text(v) or tostring(v)
end

local function facts(row)
	local out = {}
	if row.unit then out[#out + 1] = row.unit end
	if row.min or row.max then
		out[#out + 1] = (row.min and number_text(row.min) or "") .. ".."
			.. (row.max and number_text(row.max) or "")
	end
	local default = row.default_text or (row.same_as and "that of " .. row.same_as)
		or (row.default ~= nil and row.default ~= "" and value_text(row.default))
	if default then out[#out + 1] = "default " .. default end
	return #out > 0 and " [" .. table.concat(out, ", ") .. "]" or ""
end

local function key_list()
	local out = { ".Bl -tag -width Ds -compact" }
	for _, row in ipairs(schema) do
		if row.unread or row.deprecated then
			out[#out + 1] = ".It Va " .. row.path
			out[#out + 1] = roff(("Not read: %s%s."):format(row.unread or row.deprecated,
				row.instead and "; see " .. row.instead or ""))
		else
			out[#out + 1] = ".It Va " .. row.path .. " Pq " .. row.type
			out[#out + 1] = roff(row.doc .. facts(row))
		end
	end
	out[#out + 1] = ".El"
	return table.concat(out, "\n") .. "\n"
end

local function between(page, name, text)
	local start = '.\\" ' .. name .. "\n"
	local from, to = page:find(start, 1, true)
	assert(from, "no marker " .. name)
	local stop = page:find('.\\" end ' .. name .. "\n", to, true)
	assert(stop, "no end of " .. name)
	return page:sub(1, to) .. text .. page:sub(stop)
end

local cats = { string = "string", int = "integer", float = "number", bool = "boolean",
	float3 = "number[]", float4 = "number[]", table = "table", strings = "string[]" }

-- Sections as classes of their own: mapwright.mapinfo.water and so on.
local function classes()
	local order, fields = { "" }, { [""] = {} }
	local function class(name)
		if not fields[name] then
			fields[name] = {}
			order[#order + 1] = name
			local outer, last = name:match "^(.*)%.([^.]*)$"
			outer, last = outer or "", last or name
			local plain, index = last:match "^(.-)(%[.*)$"
			table.insert(fields[outer == "" and "" or class(outer)], ("---@field %s? %s"):format(
				plain or last, index and ("table<integer, mapwright.mapinfo.%s>"):format(
				(name:gsub("%[.-%]", ""))) or "mapwright.mapinfo." .. name:gsub("%[.-%]", "")))
		end
		return name
	end
	for _, row in ipairs(schema) do
		local section, name = row.path:gsub("%[.-%]", "[]"):match "^(.*)%.([^.%[%]]+)$"
		if row.path:find "%.%." and not row.path:find "%[" then
			section, name = row.path:match "^([^.]*)%.([%a]+)%d"
			name = name and name .. (row.path:find "smt" and "0" or "1")
		end
		section, name = section or "", name or row.path
		if not (row.unread or row.deprecated) and not row.path:find "Tex%.alpha" then
			table.insert(fields[section == "" and "" or class(section)], ("---@field %s%s %s %s%s")
				:format(name, row.required and "" or "?", cats[row.type], row.doc, facts(row)))
		end
	end
	local out = { "---@meta",
		"-- Made by scripts/gen_lint.lua from lua/mapwright/schema/mapinfo.lua: do not edit.",
		'error "for editors only"', "" }
	for _, name in ipairs(order) do
		out[#out + 1] = "---@class mapwright.mapinfo"
			.. (name == "" and "" or "." .. name:gsub("%[.-%]", ""))
		table.move(fields[name], 1, #fields[name], #out + 1, out)
		out[#out + 1] = ""
	end
	return table.concat(out, "\n")
end

local path = "man/mapwright-lint.7"
local page = between(read(path), "rules", rule_list(map_rules))
page = between(page, "levels", rule_list(level_rules))
put(path, between(page, "keys", key_list()))
put("lua/meta/mapinfo.gen.lua", classes())
if #stale > 0 then
	io.stderr:write("out of date: ", table.concat(stale, ", "),
		"; run: mapwright lua scripts/gen_lint.lua\n")
	os.exit(1)
end
