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
local REACH = 2 * WELD -- [unit: map unit] and a corner of the solid no further than this
local SAME = 1e-6 -- [unit: map unit] what rounding may do to a corner

local removable = { ["map-face-flat"] = true, ["map-face-repeated"] = true,
	["map-face-opposite"] = true, ["map-face-unused"] = true }

-- A line that is one face of three points and nothing else, with its points put on whole numbers
-- where they almost are; nil when there is nothing to do.
local function welded(line)
	local points, rest = line:match "^(%s*%([^()]*%)%s*%([^()]*%)%s*%([^()]*%))(.*)$"
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

-- The brushes of a text as core.qmap gives them, or nil when it has errors.
local function shapes(text)
	local model, findings = core.qmap.read(text, "fixed")
	for _, f in ipairs(findings) do
		if f.level == "error" then return nil end
	end
	return model:solids(true).rows
end

-- Whether each corner of a is near one of b.
local function within(a, b, reach)
	for i = 1, #a, 3 do
		local x, y, z, near = a[i], a[i + 1], a[i + 2], false
		for k = 1, #b, 3 do
			local dx, dy, dz = x - b[k], y - b[k + 1], z - b[k + 2]
			if dx * dx + dy * dy + dz * dz <= reach * reach then
				near = true
				break
			end
		end
		if not near then return false end
	end
	return true
end

local function same(a, b, reach)
	return a.how == b.how and within(a.corners, b.corners, reach)
		and within(b.corners, a.corners, reach)
end

-- Lines with their ends as the reader counts them: \r\n, \n or \r.
local function split(text)
	local lines, at = {}, 1
	while at <= #text do
		local stop = text:find("[\r\n]", at) or #text
		if text:sub(stop, stop + 1) == "\r\n" then stop = stop + 1 end
		lines[#lines + 1] = text:sub(at, stop)
		at = stop + 1
	end
	return lines
end

--- The text with its safe fixes: faces that bound nothing go, points that are almost on whole
--- numbers go there. A brush whose solid would be another is left as it is.
---@param old string
---@param _ string
---@param findings table[] of the level, with ids
---@return string old, string new, integer count, string new
function M.fix(old, _, findings)
	local lines, before = split(old), shapes(old)
	if not before then return old, old, 0, old end
	local owner, done, count = {}, {}, 0 -- owner: of lines on which one face begins, its brush
	for i, row in ipairs(before) do
		for _, line in ipairs(row.lines) do
			owner[line] = owner[line] == nil and i
		end
	end
	local function joined(more)
		local out = {}
		for i, line in ipairs(lines) do out[i] = more[i] or done[i] or line end
		return table.concat(out)
	end
	-- Make changes {line = text}, but for brushes that would no longer be the same.
	local function make(changes, reach)
		local after = next(changes) and shapes(joined(changes))
		if not after or #after ~= #before then return end
		for line, text in next, changes do
			local i = owner[line]
			if same(before[i], after[i], reach) then
				done[line] = text
				count = count + 1
			end
		end
	end
	local changes = {}
	for _, f in ipairs(findings) do
		local line = lines[f.line]
		if removable[f.id] and owner[f.line] and line:match "^%s*%([^{}]*$" then
			changes[f.line] = ""
		end
	end
	make(changes, SAME)
	changes = {}
	for line, i in next, owner do
		if i and before[i].points and not done[line] then changes[line] = welded(lines[line]) end
	end
	make(changes, REACH)
	local new = joined {}
	return old, new, count, new
end

return M
