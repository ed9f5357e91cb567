-- Vectors and convex hulls for the judges of .hmap files.
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

local function cross(a, b)
	return {
		a[2] * b[3] - a[3] * b[2],
		a[3] * b[1] - a[1] * b[3],
		a[1] * b[2] - a[2] * b[1],
	}
end

local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end

-- a + b * t
local function along(a, b, t) return { a[1] + b[1] * t, a[2] + b[2] * t, a[3] + b[3] * t } end

local function length(a) return math.sqrt(dot(a, a)) end

local function unit(a)
	local l = length(a)
	return l > 0 and { a[1] / l, a[2] / l, a[3] / l } or a
end

-- A square of half size r on a plane, counter-clockwise seen from its front.
local function plane_square(plane, r)
	local n = unit(plane.n)
	local x, y, z = math.abs(n[1]), math.abs(n[2]), math.abs(n[3])
	local axis = (x <= y and x <= z) and { 1, 0, 0 } or y <= z and { 0, 1, 0 } or { 0, 0, 1 }
	local u = unit(cross(axis, n))
	local v = cross(n, u)
	local o = along({ 0, 0, 0 }, n, plane.d / math.max(length(plane.n), 1e-30))
	local function corner(s, t) return along(along(o, u, s * r), v, t * r) end
	return { corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1) }
end

-- The part of a convex polygon behind a plane (or in front of it, with sign -1); nil if none.
local function clip(polygon, plane, eps, sign)
	local out, n = {}, #polygon
	local last = polygon[n]
	local last_at = sign * (dot(plane.n, last) - plane.d)
	for i = 1, n do
		local p = polygon[i]
		local at = sign * (dot(plane.n, p) - plane.d)
		if (at > eps and last_at < -eps) or (at < -eps and last_at > eps) then
			out[#out + 1] = along(last, sub(p, last), last_at / (last_at - at))
		end
		if at <= eps then out[#out + 1] = p end
		last, last_at = p, at
	end
	return #out >= 3 and out or nil
end

local function magnitude(list)
	local most = 0
	for _, p in ipairs(list) do
		for k = 1, 3 do most = math.max(most, math.abs(p[k])) end
	end
	return most
end

-- The polygons of the volume behind all planes, computed in doubles. thickness = the least distance
-- from the mean of the corners to a plane: above zero only if there is a volume. bounded is false
-- if the volume reaches further than `extent` by far.
local function hull(planes, extent)
	local r = 8 * extent + 64
	local eps = 1e-9 * r
	local h = { polygons = {}, points = {}, bounded = true, thickness = -math.huge }
	for i, plane in ipairs(planes) do
		local polygon = plane_square(plane, r)
		for j, other in ipairs(planes) do
			if j ~= i then polygon = clip(polygon, other, eps, 1) end
			if not polygon then break end
		end
		if polygon then
			h.polygons[#h.polygons + 1] = polygon
			for _, p in ipairs(polygon) do h.points[#h.points + 1] = p end
		end
	end
	if #h.points == 0 then return h end
	if magnitude(h.points) > r / 2 then h.bounded = false end
	local mean = { 0, 0, 0 }
	for _, p in ipairs(h.points) do mean = along(mean, p, 1 / #h.points) end
	h.mean, h.thickness = mean, math.huge
	for _, plane in ipairs(planes) do
		h.thickness = math.min(h.thickness, plane.d - dot(plane.n, mean))
	end
	return h
end

local function box_extent(box) return magnitude { box.min, box.max } end

-- How far a point is outside a box, 0 if inside.
local function outside(box, p)
	local most = 0
	for k = 1, 3 do most = math.max(most, box.min[k] - p[k], p[k] - box.max[k]) end
	return most
end

local function compiled(model)
	return model.compiled or error("hmap: no CMPL chunk", 3)
end

return {
	dot = dot, cross = cross, sub = sub, along = along, length = length, unit = unit,
	plane_square = plane_square, clip = clip, hull = hull, box_extent = box_extent, outside = outside,
	compiled = compiled,
}
