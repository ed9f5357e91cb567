--- Symmetry of single positions: the images of a point and of a heading. Fields have their own
--- (field:mirror); both use the same words and keep the same half.
local errors = require "mapwright.errors"

local M = {}

-- 65536 a turn, 0 south, 16384 east: the engine's heading.
local TURN = 65536

-- One image: {x, z, heading = function(h) -> h}. Rotation is counter-clockwise seen from above
-- (south to east), so headings grow with it.
local function turned(cx, cz, x, z, k, n)
	local dx, dz = x - cx, z - cz
	local quarter = 4 * k / n
	local rx, rz
	if quarter == math.floor(quarter) then -- exact for 2 and 4
		for _ = 1, math.floor(quarter) do dx, dz = dz, -dx end
		rx, rz = dx, dz
	else
		local angle = 2 * math.pi * k / n
		local c, s = math.cos(angle), math.sin(angle)
		rx, rz = c * dx + s * dz, c * dz - s * dx
	end
	return { x = cx + rx, z = cz + rz, heading = function(h) return h + TURN * k / n end }
end

local function same(h) return h end
local function flip_x(h) return -h end
local function flip_z(h) return TURN / 2 - h end
local function half(h) return h + TURN / 2 end

--- Images of (x, z), the point itself first. Coinciding images are left out.
---@param mirror nil|"x"|"z"|"point"|"quad"|{n: integer}
---@param width number [unit: elmo]
---@param depth number [unit: elmo]
function M.images(mirror, width, depth, x, z)
	local all = { { x = x, z = z, heading = same } }
	if mirror == "x" then
		all[2] = { x = width - x, z = z, heading = flip_x }
	elseif mirror == "z" then
		all[2] = { x = x, z = depth - z, heading = flip_z }
	elseif mirror == "point" then
		all[2] = { x = width - x, z = depth - z, heading = half }
	elseif mirror == "quad" then
		all[2] = { x = width - x, z = z, heading = flip_x }
		all[3] = { x = x, z = depth - z, heading = flip_z }
		all[4] = { x = width - x, z = depth - z, heading = half }
	elseif type(mirror) == "table" then
		if mirror.n == 4 and width ~= depth then
			errors.fail("mirror {n = 4} needs a square map, this one is %g x %g elmos", width, depth)
		end
		for k = 1, mirror.n - 1 do
			all[k + 1] = turned(width / 2, depth / 2, x, z, k, mirror.n)
		end
	end
	local out = {}
	for _, image in ipairs(all) do
		local twin = false
		for _, other in ipairs(out) do
			twin = twin or (other.x == image.x and other.z == image.z)
		end
		if not twin then out[#out + 1] = image end
	end
	return out
end

--- A heading in the file's range -32768..32767.
function M.wrap(heading)
	return (heading + TURN / 2) % TURN - TURN / 2
end

local facings = { south = 0, east = 16384, north = -32768, west = -16384 }
M.facings = { "south", "east", "north", "west" }

--- Heading from the options heading | compass | facing (at most one; 0 = south without any).
---@param o {heading?: number, compass?: number, facing?: string}
function M.heading(o, what)
	local given = (o.heading and 1 or 0) + (o.compass and 1 or 0) + (o.facing and 1 or 0)
	if given > 1 then
		errors.fail("%s: give one of 'heading', 'compass' and 'facing', not %d of them", what, given)
	end
	if o.compass then return M.wrap(TURN / 2 - o.compass * TURN / 360) end
	if o.facing then return facings[o.facing] end
	return o.heading or 0
end

return M
