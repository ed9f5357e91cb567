--- Lint of levels of brushes: what is odd about a .map, with line and position.
local core = require "mapwright.core"
local rules = require "mapwright.levellint.rules"

local M = { rules = rules }

-- Lengths in map units; see the rules' texts.
local MICRO, SLIVER, GAP, GRID, LIMIT = 0.25, 0.05, 0.05, 0.125, 4096
local original = { entities = 1024, models = 256, brushes = 4096, text = 65536 }

--- Whether a path is a level's.
function M.takes(path)
	return path:lower():match "%.map$" ~= nil
end

local function is_wire(value)
	local fields = {}
	for field in (value .. ","):gmatch "([^,]*)," do fields[#fields + 1] = field end
	return #fields == 5 and tonumber(fields[4]) ~= nil and fields[1]:match "%S" and fields
end

local target_keys = { target = true, killtarget = true, target2 = true, target3 = true,
	target4 = true, pathtarget = true }

-- What entities say of one another.
local function check_entities(model, add)
	local head, names, wanted = model:info(), {}, {}
	local text, models = 0, 0
	for i = 1, head.entities do
		local e = model:entity(i, true)
		local seen, class = {}, nil
		if e.brushes > 0 then models = models + 1 end
		for _, pair in ipairs(e.pairs) do
			local key, value, line = pair[1], pair[2], pair[3]
			local wire = is_wire(value)
			text = text + #key + #value + 6
			if key == "classname" then class = value end
			if key == "targetname" and value ~= "" then
				names[value] = names[value] or { line = line, entity = i - 1 }
			elseif target_keys[key] and value ~= "" then
				wanted[#wanted + 1] = { name = value, line = line, entity = i - 1, key = key }
			elseif wire then
				wanted[#wanted + 1] = { name = wire[1], line = line, entity = i - 1, key = key }
			end
			if seen[key] and not wire then
				add("map-key-repeated", line, i - 1, ("key '%s' is there in line %d already"):format(key,
					seen[key]))
			end
			seen[key] = seen[key] or line
		end
		if not class or class == "" then
			add("map-classname", e.line, i - 1, ("entity %d has no classname"):format(i - 1))
		end
	end
	local used = {}
	for _, w in ipairs(wanted) do
		used[w.name] = true
		if not names[w.name] and not w.name:match "^[!*@]" then
			add("map-target-unknown", w.line, w.entity, ("'%s' names '%s', which nothing is called")
				:format(w.key, w.name))
		end
	end
	for _, name in ipairs(require "mapwright.util.ordered".keys(names)) do
		if not used[name] then
			add("map-target-unused", names[name].line, names[name].entity,
				("nothing targets '%s'"):format(name))
		end
	end
	local counts = { entities = head.entities, models = models, brushes = head.brushes, text = text }
	local words = { entities = "entities", models = "brush entities", brushes = "brushes",
		text = "bytes of entity text" }
	for _, what in ipairs { "entities", "models", "brushes", "text" } do
		if counts[what] > original[what] then
			add("map-limit", 1, nil, ("%d %s are %d more than the original engine's %d"):format(
				counts[what], words[what], counts[what] - original[what], original[what]))
		end
	end
end

-- "entity 2, brush 3, face 1"
local function where(f)
	local out = {}
	for _, part in ipairs { "entity", "brush", "face" } do
		if f[part] then out[#out + 1] = ("%s %d"):format(part, f[part]) end
	end
	return out[1] and table.concat(out, ", ") .. ": " or ""
end

--- Findings of a level in the shape of mapwright.diag.
---@param path string
---@param options {disabled: table<string, boolean>}
---@return table[] findings
function M.check(path, options)
	local out, bytes = {}, core.fs.read(path)
	local off = options and options.disabled or {}
	local model, findings = core.qmap.read(bytes, path)
	local broken = false
	for _, f in ipairs(findings) do broken = broken or f.level == "error" end
	local function put(id, line, col, message, f)
		local rule = rules.find(id)
		if off[id] then return end
		out[#out + 1] = { id = id, severity = rule and rule.severity or f.level, message = message,
			file = path, line = line, col = col, rule = rule }
	end
	local function take(list)
		for _, f in ipairs(list) do put(f.rule, f.line, f.col, where(f) .. f.message, f) end
	end
	take(findings)
	if not broken then
		take(model:lint(MICRO, SLIVER, GAP, GRID, LIMIT))
		check_entities(model, function(id, line, entity, message)
			put(id, line, 1, where { entity = entity } .. message)
		end)
	end
	for i, f in ipairs(out) do f.order = i end
	table.sort(out, function(a, b)
		if a.line ~= b.line then return a.line < b.line end
		return a.order < b.order
	end)
	for _, f in ipairs(out) do f.order = nil end
	return out
end

local WELD = 0.01 -- [unit: map unit] `--fix` moves a point no further than this, each way

local removable = { ["map-face-flat"] = true, ["map-face-repeated"] = true,
	["map-face-opposite"] = true, ["map-face-unused"] = true }

-- A line that is one face and nothing else, with its points put on whole numbers where they almost
-- are; nil when there is nothing to do.
local function welded(line)
	local points, rest = line:match "^(%s*%(.-%)%s*%(.-%)%s*%(.-%))(.*)$"
	if not points then return nil end
	local changed = false
	points = points:gsub("[^%s()]+", function(word)
		local v = tonumber(word)
		if not v then return nil end
		local whole = math.floor(v + 0.5)
		if v ~= whole and math.abs(v - whole) <= WELD then
			changed = true
			return ("%d"):format(whole)
		end
		return nil
	end)
	return changed and points .. rest or nil
end

local function closed(text)
	local model, findings = core.qmap.read(text, "fixed")
	for _, f in ipairs(findings) do
		if f.level == "error" then return nil end
	end
	local solids = model:solids()
	return solids.brushes, solids.open
end

--- The text with its safe fixes: faces that bound nothing go, points that are almost on whole
--- numbers go there. A fix that would open a brush is not made.
---@param path string
---@param findings table[] of M.check
---@return string old, string new, integer count
function M.fix(path, findings)
	local old = core.fs.read(path)
	local lines, drop, count = {}, {}, 0
	for line in (old:gsub("\r?\n$", "") .. "\n"):gmatch "(.-)\n" do lines[#lines + 1] = line end
	local function joined(with)
		local out = {}
		for i, line in ipairs(lines) do
			local now = with[i]
			if now == nil then now = line end
			if now then out[#out + 1] = now end
		end
		return table.concat(out, "\n") .. "\n"
	end
	local brushes, open = closed(old)
	if not brushes then return old, old, 0 end
	local function try(changes)
		local n = 0
		for _ in next, changes do n = n + 1 end
		if n == 0 then return end
		local b, o = closed(joined(changes))
		if b == brushes and o == open then
			for i, v in next, changes do drop[i] = v end
			count = count + n
		end
	end
	local changes = {}
	for _, f in ipairs(findings) do
		local line = lines[f.line]
		if removable[f.id] and line and line:match "^%s*%([^{}]*$" then changes[f.line] = false end
	end
	try(changes)
	changes = {}
	for k, v in next, drop do changes[k] = v end
	local any = false
	for i, line in ipairs(lines) do
		local now = drop[i] == nil and welded(line)
		if now then changes[i], any = now, true end
	end
	if any then
		count = 0
		try(changes)
	end
	return old, count > 0 and joined(drop) or old, count
end

return M
