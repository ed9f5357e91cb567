--- Lint of .map files: places are lines.
local core = require "mapwright.core"
local entities = require "mapwright.levellint.entities"

local M = {}

-- Lengths in map units; see the rules' texts.
local MICRO, SLIVER, GAP, GRID, LIMIT = 0.25, 0.05, 0.05, 0.125, 4096
local original = { entities = 1024, models = 256, brushes = 4096, text = 65536 }

local function check_limits(head, list, put)
	local text, models = 0, 0
	for _, e in ipairs(list) do
		if e.brushes > 0 then models = models + 1 end
		for _, pair in ipairs(e.pairs) do text = text + #pair[1] + #pair[2] + 6 end
	end
	local counts = { entities = head.entities, models = models, brushes = head.brushes, text = text }
	local words = { entities = "entities", models = "brush entities", brushes = "brushes",
		text = "bytes of entity text" }
	for _, what in ipairs { "entities", "models", "brushes", "text" } do
		if counts[what] > original[what] then
			put { rule = "map-limit", line = 1, col = 1,
				message = ("%d %s are %d more than the original engine's %d"):format(counts[what],
					words[what], counts[what] - original[what], original[what]) }
		end
	end
end

--- Findings of a file, in the order of their lines.
---@param bytes string
---@param path string words for messages
---@param put fun(finding: table) takes {rule, level?, message, line, col, entity?, brush?, face?,
--- at?}
function M.check(bytes, path, put)
	local model, findings = core.qmap.read(bytes, path)
	local out, broken = {}, false
	local function add(f)
		out[#out + 1] = f
		f.order = #out
	end
	for _, f in ipairs(findings) do
		broken = broken or f.level == "error"
		add(f)
	end
	if not broken then
		for _, f in ipairs(model:lint(MICRO, SLIVER, GAP, GRID, LIMIT)) do add(f) end
		local head, list = model:info(), {}
		for i = 1, head.entities do
			local e = model:entity(i, true)
			list[i] = { pairs = e.pairs, place = e.line, brushes = e.brushes }
		end
		entities.check(list, function(id, entity, message, line)
			add { rule = id, line = line, col = 1, entity = entity, message = message }
		end, function(line) return (" in line %d"):format(line) end)
		check_limits(head, list, add)
	end
	table.sort(out, function(a, b)
		if a.line ~= b.line then return a.line < b.line end
		return a.order < b.order
	end)
	for _, f in ipairs(out) do put(f) end
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
---@param old string
---@param _ string
---@param findings table[] of the level, with ids
---@return string old, string new, integer count, string new
function M.fix(old, _, findings)
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
	if not brushes then return old, old, 0, old end
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
	local new = count > 0 and joined(drop) or old
	return old, new, count, new
end

return M
