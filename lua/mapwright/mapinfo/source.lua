--- Where the keys of an evaluated table stand in the text: from the constructors and assignments of
--- the parsed file to paths such as "teams[0].startpos.x".
local core = require "mapwright.core".mapinfo

local M = {}

--- A path made longer by a key, names in lower case.
function M.join(path, key)
	if math.type(key) then
		return ("%s[%s]"):format(path, math.tointeger(key) or core.number_text(key))
	end
	key = key:lower()
	if path == "" then return key end
	return path .. "." .. key
end

-- The statement whose table is what the file returns.
local function find_root(parsed)
	local returned, by_name, first, named = nil, {}, nil, nil
	for _, s in ipairs(parsed.stmts) do
		if s.depth == 0 then
			if s.kind == "return" then
				returned = s
			elseif #s.path == 1 and s.value.kind == "table" then
				by_name[s.path[1]] = s
				first = first or s
				if s.path[1]:lower() == "mapinfo" then named = s end
			end
		end
	end
	if returned and returned.value.kind == "table" then return returned.value.table, nil, returned end
	local s = returned and returned.value.kind == "name" and by_name[returned.value.value]
		or named or first
	if s then return s.value.table, s.path[1], returned end
	return nil, returned and returned.value.kind == "name" and returned.value.value or nil, returned
end

local function add(map, path, entry)
	map[path] = map[path] or {}
	table.insert(map[path], entry)
end

-- Fields by the table they stand in, in the order of the text.
local function fields_by_table(parsed)
	local out = {}
	for _, f in ipairs(parsed.fields) do
		out[f.table] = out[f.table] or {}
		table.insert(out[f.table], f)
	end
	for _, list in next, out do
		table.sort(list, function(a, b) return a.start < b.start end)
	end
	return out
end

local function walk(map, tables, id, path, depth)
	if depth > 100 then return end
	for _, f in ipairs(tables[id] or {}) do
		if f.key ~= nil then
			local inner = M.join(path, f.key)
			add(map, inner, { field = f, path = inner, line = f.line, col = f.col, start = f.start,
				stop = f.stop, value = f.value, spelled = tostring(f.key), table = id })
			if f.value.kind == "table" then
				walk(map, tables, f.value.table, inner, depth + 1)
			end
		end
	end
end

-- mapinfo.lighting.sunDir = { ... } behind the constructor.
local function walk_assignments(map, parsed, tables, name)
	for _, s in ipairs(parsed.stmts) do
		if s.kind == "assign" and #s.path > 1 and (s.path[1] == name
			or s.path[1]:lower() == "mapinfo") then
			local path = ""
			for i = 2, #s.path do
				path = M.join(path, tonumber(s.path[i]) or s.path[i])
			end
			add(map, path, { path = path, line = s.line, col = s.col, start = s.start, stop = s.stop,
				value = s.value, spelled = s.path[#s.path], assigned = true })
			if s.value.kind == "table" then walk(map, tables, s.value.table, path, 0) end
		end
	end
end

--- Parse a file. Returns nil and the fault {message, line, start} when it is no Lua 5.1.
---@param text string
---@param file string name for messages
function M.parse(text, file)
	local parsed, fault = core.parse(text)
	if not parsed then return nil, fault end
	local root, name, returned = find_root(parsed)
	local tables, entries = fields_by_table(parsed), {}
	if root then walk(entries, tables, root, "", 0) end
	walk_assignments(entries, parsed, tables, name)
	return { file = file, text = text, parsed = parsed, entries = entries, tables = tables,
		root = root, root_name = name, returned = returned }
end

--- The last entry of a path, or nil.
function M.find(source, path)
	local list = source and source.entries[path]
	return list and list[#list]
end

--- The entry of a path or of the nearest section around it.
function M.nearest(source, path)
	while path and path ~= "" do
		local entry = M.find(source, path)
		if entry then return entry, path end
		path = path:match "^(.*)%[[^%[]*%]$" or path:match "^(.*)%.[^.]*$"
	end
	return nil
end

return M
