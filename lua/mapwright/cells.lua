--- The grids below the height field: metal, types and grass, painted in layers.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local field = require "mapwright.field"
local picture = require "mapwright.util.picture"
local source = require "mapwright.source"

local M = {}

-- 1 from `at` on and 0 below it, and the other way round: the two part the map without a gap.
local function above(s, at) return s:step(at) end
local function below(s, at) return 1 - s:step(at) end

-- Where a layer counts, as a source of 0 and 1, or nil for everywhere.
local function mask_of(o)
	local mask
	local function also(condition) mask = mask and mask * condition or condition end
	if o.where then also(above(source.of(o.where), 0.5)) end
	if o.slope_above then also(above(source.of(o.slope), o.slope_above)) end
	if o.slope_below then also(below(source.of(o.slope), o.slope_below)) end
	if o.above then also(above(source.of(o.height), o.above)) end
	if o.below then also(below(source.of(o.height), o.below)) end
	return mask
end

--- Paint layers onto a fresh grid of cells. `cell` is a cell's side in elmos; values are sampled at
--- cell centres. grade(source) makes bytes of a density.
---@return mapwright.field
function M.paint(land, layers, cell, what, grade)
	local w, h = land.width // cell, land.depth // cell
	local function new() return field.of_grid(w, h, cell / 2, cell / 2, cell, land.seed) end
	local grid = new()
	for _, o in ipairs(layers) do
		local value = new()
		if o.kind == "picture" then
			local ok, bytes = pcall(picture.bytes_of, what .. " picture", o.value, w, h, o.resize)
			if not ok then
				errors.fail_at(o.at, "%s", type(bytes) == "table" and bytes.message or tostring(bytes))
			end
			value = core.quantize.decode_u8(bytes, w, h, cell / 2, cell / 2, cell)
		elseif o.kind == "density" then
			value:set(grade(source.of(o.value)))
		else
			value:set(source.of(o.value))
		end
		local mask = mask_of(o)
		if o.combine == "add" then
			grid:add(mask and source.of(value) * mask or value)
		elseif o.combine == "max" then
			grid:max(mask and source.of(value) * mask or value)
		elseif mask then
			grid:lerp(value, mask)
		else
			grid:set(value)
		end
	end
	return grid
end

--- Bytes of a painted grid, rounded; what lies outside 0..255 is an error naming the cell.
function M.bytes(grid, what)
	return core.quantize.bytes(grid, what)
end

return M
