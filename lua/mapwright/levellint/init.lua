--- Lint of levels of brushes: what is odd about a .map or .hmap, with its place in the file.
local core = require "mapwright.core"
local rules = require "mapwright.levellint.rules"

local M = { rules = rules }

local kinds = { map = "mapwright.levellint.map", hmap = "mapwright.levellint.hmap" }

local function kind_of(path)
	local name = kinds[path:lower():match "%.(%a+)$"]
	return name and require(name)
end

--- Whether a path is a level's.
function M.takes(path)
	return kind_of(path) ~= nil
end

-- "entity 2, brush 3, face 1: ", unless the message begins so itself
local function where(f)
	local out = {}
	if f.message:match "^%l+ %d+ " then return "" end
	for _, part in ipairs { "entity", "brush", "mesh" } do
		if f[part] then out[#out + 1] = ("%s %d"):format(part, f[part]) end
	end
	if f.face then out[#out + 1] = ("%s %d"):format(f.mesh and "polygon" or "face", f.face) end
	return out[1] and table.concat(out, ", ") .. ": " or ""
end

--- Findings of a level in the shape of mapwright.diag.
---@param path string
---@param options {disabled: table<string, boolean>}
---@return table[] findings
function M.check(path, options)
	local out, off = {}, options and options.disabled or {}
	kind_of(path).check(core.fs.read(path), path, function(f)
		local rule = rules.find(f.rule)
		if off[f.rule] then return end
		out[#out + 1] = { id = f.rule, severity = rule and rule.severity or f.level,
			message = where(f) .. f.message, file = path, line = f.line, col = f.col,
			offset = f.offset, entity = f.entity, brush = f.brush, mesh = f.mesh, face = f.face,
			at = f.at, rule = rule }
	end)
	return out
end

--- A level with its safe fixes: faces that bound nothing go, points that are almost on the grid go
--- there. A fix that would open a brush is not made.
---@param path string
---@param findings table[] of M.check
---@return string old, string new as texts to compare
---@return integer count of fixes
---@return string bytes the new file
function M.fix(path, findings)
	return kind_of(path).fix(core.fs.read(path), path, findings)
end

return M
