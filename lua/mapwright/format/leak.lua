--- The leak test of a scene, told in the words and the space of a file.
local M = {}

--- Look for a way from an entity to the outside of all brushes that close space.
---@param scene userdata
---@param gap number narrower gaps between brushes count as closed [unit: scene unit]
---@param name? fun(i: integer): table {index, classname, where} of entity i
---@param place? fun(p: number[]): number[] a point in the file's space
---@return table {asked = entities in free space, in_solid = {entity...}, sealing = brushes,
---  units_per_metre, entity? = the first that leaks, line? = {{x, y, z}...} from it on out};
---  an entity is {index, classname, at, where?}
function M.find(scene, gap, name, place)
	local found, rows = scene:leak(gap), scene:entities()
	place = place or function(p) return p end
	local function entity(i)
		local e = name and name(i)
			or { index = i - 1, classname = rows[i].classname, where = rows[i].where }
		e.at, e.__keys = place(rows[i].at), { "index", "classname", "at", e.where and "where" }
		return e
	end
	local out = { asked = 0, in_solid = {}, sealing = found.sealing,
		units_per_metre = scene:counts().units_per_metre }
	for i, state in ipairs(found.states) do
		if state == "sealed" or state == "leaks" then out.asked = out.asked + 1 end
		if state == "in_solid" then table.insert(out.in_solid, entity(i)) end
	end
	if found.entity then
		out.entity, out.line = entity(found.entity), {}
		for i, p in ipairs(found.line) do out.line[i] = place(p) end
	end
	return out
end

return M
