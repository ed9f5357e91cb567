--- Lint of .hmap files: places are byte offsets.
local core = require "mapwright.core"
local entities = require "mapwright.levellint.entities"
local format = require "mapwright.format.hmap"

local M = {}

-- Lengths as .map files have them, 32 units a metre; a .hmap says how many units it has.
local MICRO, SLIVER, GAP, WELD = 0.25 / 32, 0.05 / 32, 0.05 / 32, 0.01 / 32
-- [unit: metre] past this, float32 no longer tells apart what compiling does (1/2048 of a metre)
local LIMIT = 4096

-- Corners are to be multiples of this: an eighth of the editor's grid.
local function grid_of(head)
	return (head.grid > 0 and head.grid or head.units_per_metre / 32) / 8
end

-- The class among the keys, as .map files have it.
local function entity_list(hmap)
	local list = {}
	for i, e in ipairs(hmap:entities()) do
		list[i] = { pairs = { { "classname", e.classname, e.offset } }, place = e.offset }
		for _, pair in ipairs(e.keys) do
			table.insert(list[i].pairs, { pair[1], pair[2], e.offset })
		end
	end
	return list
end

--- Findings of a file, in the order of their offsets.
---@param bytes string
---@param path string words for messages
---@param put fun(finding: table) takes {rule, level?, message, offset, entity?, brush?, mesh?,
--- face?, at?}
function M.check(bytes, path, put)
	local hmap, findings = core.hmap.read(bytes, path, false)
	local out = {}
	local function add(f)
		out[#out + 1] = f
		f.order, f.offset = #out, f.offset or 0
	end
	for _, f in ipairs(findings) do add(f) end
	local head = hmap:info()
	local metre = head.units_per_metre > 0 and head.units_per_metre or 1
	for _, f in ipairs(hmap:lint(MICRO * metre, SLIVER * metre, GAP * metre, grid_of(head),
		LIMIT * metre, WELD * metre)) do
		add(f)
	end
	entities.check(entity_list(hmap), function(id, entity, message, offset)
		add { rule = id, offset = offset, entity = entity, message = message }
	end, function() return "" end)
	table.sort(out, function(a, b)
		if a.offset ~= b.offset then return a.offset < b.offset end
		return a.order < b.order
	end)
	for _, f in ipairs(out) do put(f) end
end

local function source_text(hmap)
	local out = {}
	format.dump_source(hmap, function(text) out[#out + 1] = text end)
	return table.concat(out)
end

--- Mend a file: faces that bound nothing go, corners that are almost on the grid go there, and what
--- was compiled is compiled again when it is not what the source says. Texts are those of `dump`.
---@param bytes string
---@param path string words for messages
---@param findings table[] of the level, with ids
---@return string old, string new, integer count, string bytes
function M.fix(bytes, path, findings)
	local hmap = core.hmap.read(bytes, path, true)
	local head, old = hmap:info(), source_text(hmap)
	local metre = head.units_per_metre > 0 and head.units_per_metre or 1
	local grid, count, stale = grid_of(head), 0, false
	if head.has_source and grid > 2 * WELD * metre then count = hmap:mend(WELD * metre, grid) end
	for _, f in ipairs(findings) do
		stale = stale or f.id == "hmap-stale" or f.id == "hmap-tree" or f.id == "hmap-tree-depth"
	end
	local again = head.has_source and head.compiled and (stale or count > 0)
	if again then
		hmap:compile { bake = hmap:level().baked == 1 }
		if stale then count = count + 1 end
	end
	local new = source_text(hmap)
	if again then new = new .. "\t-- compiled again\n" end
	return old, new, count, hmap:write()
end

return M
