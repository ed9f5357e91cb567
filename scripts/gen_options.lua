-- Options as documents: lua/meta/options.gen.lua (one LuaCATS class per option table) and the
-- option lists in man/*.7, all made from lua/mapwright/schema/*.lua.
--
--   mapwright lua scripts/gen_options.lua [--check]
--
-- In a manual page the lines between `.\" options SCHEMA.NAME` and `.\" end options` are rewritten.
-- With --check nothing is written and a difference is an error.
local lfs = require "lfs"

local check = arg[1] == "--check"
local stale = {}

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
	file:write(text)
	file:close()
	print("wrote " .. path)
end

local function sorted_files(dir, pattern)
	local out = {}
	if not lfs.attributes(dir) then return out end
	for name in lfs.dir(dir) do
		if name:match(pattern) then out[#out + 1] = name end
	end
	table.sort(out)
	return out
end

-- {id = "terrain.metal_spot", rows} in a fixed order: by file, then by name.
local function schemas()
	local out = {}
	for _, file in ipairs(sorted_files("lua/mapwright/schema", "%.lua$")) do
		local base = file:gsub("%.lua$", "")
		local module, names = require("mapwright.schema." .. base), {}
		for name, rows in pairs(module) do
			if type(rows) == "table" and type(rows[1]) == "table" and rows[1].name and rows.name then
				names[#names + 1] = name
			end
		end
		table.sort(names)
		for _, name in ipairs(names) do
			out[#out + 1] = { id = base .. "." .. name, rows = module[name] }
		end
	end
	return out
end

local number_text = require "mapwright.core".base.number_text

local cats = {
	number = "number", integer = "integer", string = "string", boolean = "boolean", table = "table",
	list = "any[]", ["function"] = "function", any = "any", color = "string|number[]",
	point = "{x: number, z: number}", points = "{x: number, z: number}[]",
	mirror = '"x"|"z"|"point"|"quad"|{n: integer}', pair = "number[]", triple = "number[]",
}

local function cats_type(row)
	local out = {}
	for _, value in ipairs(row.enum or {}) do out[#out + 1] = ("%q"):format(value) end
	for _, name in ipairs(type(row.type) == "table" and row.type or { row.type }) do
		out[#out + 1] = row.of and name == "list" and "(" .. (cats[row.of] or "table") .. ")[]"
			or row.class or cats[name] or "mapwright." .. name
	end
	return table.concat(out, "|")
end

local function facts(row)
	local out = {}
	if row.unit then out[#out + 1] = row.unit end
	if row.min or row.max then
		local low, high = row.min and number_text(row.min), row.max and number_text(row.max)
		out[#out + 1] = (low or "") .. ".." .. (high or "")
	end
	if row.required then
		out[#out + 1] = "required"
	elseif row.default ~= nil and type(row.default) ~= "table" then
		out[#out + 1] = "default "
			.. (type(row.default) == "number" and number_text(row.default) or tostring(row.default))
	end
	return table.concat(out, ", ")
end

local function meta(list)
	local out = { "---@meta",
		"-- Made by scripts/gen_options.lua from lua/mapwright/schema: do not edit.",
		'error "for editors only"', "" }
	for _, schema in ipairs(list) do
		out[#out + 1] = "---@class mapwright.options." .. schema.id
		for _, row in ipairs(schema.rows) do
			local text = facts(row)
			out[#out + 1] = ("---@field %s%s %s %s%s"):format(row.name, row.required and "" or "?",
				cats_type(row), row.doc or "", text ~= "" and " [" .. text .. "]" or "")
		end
		out[#out + 1] = ""
	end
	return table.concat(out, "\n")
end

local words = {
	number = "number", integer = "whole number", string = "text", boolean = "true or false",
	table = "table", list = "list", ["function"] = "function", any = "any value", color = "colour",
	point = "position", points = "positions", mirror = "mirror", pair = "two numbers",
	triple = "three numbers",
}

local function escape(text)
	text = text:gsub("\\", "\\e"):gsub('"', "\\(dq"):gsub("([.!?]%)?) +(%u)", "%1\n%2")
	return (text:gsub("\n(['.])", "\n\\&%1"):gsub("^(['.])", "\\&%1"))
end

local function man_type(row)
	local out = {}
	for _, value in ipairs(row.enum or {}) do out[#out + 1] = '"' .. value .. '"' end
	for _, name in ipairs(type(row.type) == "table" and row.type or { row.type }) do
		out[#out + 1] = words[name] or name
	end
	return table.concat(out, " | ")
end

local function mdoc(rows, prefix, out)
	for _, row in ipairs(rows) do
		local text = facts(row)
		out[#out + 1] = ".It Cm " .. prefix .. row.name
		out[#out + 1] = escape(("(%s%s)"):format(man_type(row), text ~= "" and "; " .. text or ""))
		if row.doc then out[#out + 1] = escape(row.doc) end
		if row.fields then mdoc(row.fields, prefix .. row.name .. ".", out) end
	end
	return out
end

local function man_pages(list)
	local by_id = {}
	for _, schema in ipairs(list) do by_id[schema.id] = schema.rows end
	for _, name in ipairs(sorted_files("man", "%.[1-9]$")) do
		local text = read("man/" .. name)
		local block = '(%.\\" options ([%w_%.]+)\n).-(%.\\" end options\n)'
		local made = text:gsub(block, function(head, id, tail)
			local rows = by_id[id] or error(("man/%s: no schema '%s'"):format(name, id), 0)
			local body = mdoc(rows, "", { ".Bl -tag -width Ds -compact" })
			body[#body + 1] = ".El"
			return head .. table.concat(body, "\n") .. "\n" .. tail
		end)
		put("man/" .. name, made)
	end
end

-- gen_manual.lua takes the option lists from here.
if not arg[0]:match "gen_options%.lua$" then return { mdoc = mdoc, escape = escape } end

local list = schemas()
lfs.mkdir "lua/meta"
put("lua/meta/options.gen.lua", meta(list))
man_pages(list)
if stale[1] then
	io.stderr:write("not up to date: " .. table.concat(stale, ", ")
		.. "; run: mapwright lua scripts/gen_options.lua\n")
	os.exit(1)
end
