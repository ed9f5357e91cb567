--- Positions on a terrain by density, spacing and symmetry.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local field = require "mapwright.field"

local M = {}

local GRID = 16 -- [unit: elmo] how finely a density that is a source is read

-- terrain -> { options -> how often they were drawn }: equal calls differ, and a call that is put
-- in between leaves the draws of all others as they were.
local drawn = setmetatable({}, { __mode = "k" })

local function seed_of(land, o)
	if o.seed then return o.seed end
	local before = drawn[land] or {}
	drawn[land] = before
	local key = ("%g %s %s"):format(o.spacing, tostring(o.count), tostring(o.snap))
	before[key] = (before[key] or 0) + 1
	local hash = core.base.hash(("scatter %s %d"):format(key, before[key]))
	return land.seed ~ tonumber(hash:sub(1, 15), 16)
end

local function density_of(land, density)
	if density == 1 then return nil end
	if type(density) ~= "number" and getmetatable(density).__name == "mapwright.field" then
		return density
	end
	local grid = type(density) == "number" and math.max(land.width, land.depth) or GRID
	local f = field.of_grid(math.ceil(land.width / grid) + 1, math.ceil(land.depth / grid) + 1, 0, 0,
		grid, land.seed)
	return f:set(density)
end

--- Positions for `land:scatter`; o is its checked option table. Each is { x, z, orbit, image }:
--- partners under the symmetry have one orbit, image 0 is the one that was drawn.
function M.positions(land, o)
	local avoid = o.avoid or {}
	local limits, discs = {}, {}
	local function keep_from(list, radius)
		for _, p in ipairs(list) do table.move({ p.x, p.z, radius }, 1, 3, #discs + 1, discs) end
	end
	if avoid.slope then limits[#limits + 1] = { land:slope(), -1, avoid.slope } end
	if avoid.water then
		local level = type(avoid.water) == "number" and avoid.water or 0
		limits[#limits + 1] = { land.height, level, 1e30 }
	end
	if avoid.starts then keep_from(land.starts, avoid.starts) end
	if avoid.spots then
		keep_from(land.spots, avoid.spots)
		keep_from(land.vents, avoid.spots)
	end
	if avoid.positions then
		if not avoid.radius then
			errors.fail("scatter: avoid: 'positions' needs 'radius', how far to stay from them")
		end
		keep_from(avoid.positions, avoid.radius)
	end
	local kind, n = field.mirror_kind(o.mirror)
	local out = core.scatter.positions({
		width = land.width, depth = land.depth, spacing = o.spacing, edge = avoid.edge,
		snap = o.snap, density = density_of(land, o.density), limits = limits, discs = discs,
		count = o.count, seed = seed_of(land, o),
	}, kind, n)
	local images = ({ none = 1, quad = 4, turn = n })[kind] or 2
	if o.count and #out + images <= o.count then
		core.log.put("warning", "scatter-short",
			("scatter: only %d of %d positions fit"):format(#out, o.count))
	end
	return out
end

return M
