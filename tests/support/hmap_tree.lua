-- Judges of a compiled level's tree: what holds a point, what the tree says, what it costs.
local shapes = require "hmap_hull"

local compiled, hull, box_extent = shapes.compiled, shapes.hull, shapes.box_extent
local along, dot, sub, unit = shapes.along, shapes.dot, shapes.sub, shapes.unit
local clip, plane_square = shapes.clip, shapes.plane_square

local M = {}

-- ---- points ----------------------------------------------------------------------------------

-- "a point is solid when it lies behind all planes of a brush": on a plane is in front of it.
local function inside(brush, x, y, z)
	local planes = brush.planes
	for i = 1, #planes do
		local n = planes[i].n
		if n[1] * x + n[2] * y + n[3] * z - planes[i].d >= 0 then return false end
	end
	return true
end

--- Contents of a point (bits of all brushes that hold it, 0 = nothing) by the BSP, then the leaf,
--- how many brushes were tested and how many nodes passed. "front = dot(n,p) - d >= 0", links below
--- 0 are leaf ~link.
function M.point_contents(model, x, y, z)
	local bsp = compiled(model).bsp
	local link, passed = bsp.root, 0
	while link >= 0 do
		local node = bsp.nodes[link + 1] or error(("hmap: no BSP node %d"):format(link), 2)
		local plane = bsp.planes[node.plane + 1]
			or error(("hmap: BSP node %d, no plane %d"):format(link, node.plane), 2)
		local n = plane.n
		link = n[1] * x + n[2] * y + n[3] * z - plane.d >= 0 and node.front or node.back
		passed = passed + 1
		if passed > #bsp.nodes then error("hmap: BSP nodes go in a circle", 2) end
	end
	local leaf = bsp.leaves[~link + 1] or error(("hmap: no BSP leaf %d"):format(~link), 2)
	local contents = 0
	for i = leaf.first + 1, leaf.first + leaf.count do
		local index = bsp.leaf_brushes[i]
		local brush = index and bsp.brushes[index + 1]
		if not brush then error(("hmap: BSP leaf %d, no brush at %d"):format(~link, i - 1), 2) end
		if inside(brush, x, y, z) then contents = contents | brush.contents end
	end
	return contents, ~link, leaf.count, passed
end

--- The same without the tree, from every brush of a list (the BSP's own unless given); also the
--- brushes (from 0) that hold the point.
function M.point_contents_brute(model, x, y, z, brushes)
	local contents, hits = 0, {}
	for i, brush in ipairs(brushes or compiled(model).bsp.brushes) do
		if inside(brush, x, y, z) then
			contents = contents | brush.contents
			hits[#hits + 1] = i - 1
		end
	end
	return contents, hits
end

-- A generator of our own, so that points are the same everywhere.
local function generator(seed)
	local state = (seed or 1) * 0x9E3779B97F4A7C15 | 1
	return function()
		state = state ~ (state << 13)
		state = state ~ (state >> 7)
		state = state ~ (state << 17)
		return (state >> 11) * 2.0 ^ -53
	end
end

--- About n points to ask a tree for: half of them anywhere in the world and around it, half beside
--- the faces of brushes (both sides, `nudge` away), where trees go wrong.
function M.sample_points(model, n, seed, nudge)
	local bsp = compiled(model).bsp
	local random, points = generator(seed), {}
	local low, high = bsp.aabb.min, bsp.aabb.max
	for _ = 1, n // 2 do
		local p = {}
		for k = 1, 3 do p[k] = low[k] + (high[k] - low[k]) * (random() * 1.1 - 0.05) end
		points[#points + 1] = p
	end
	nudge = nudge or 1 / 16
	local tries = #bsp.brushes > 0 and n // 4 or 0
	for _ = 1, tries do
		local brush = bsp.brushes[1 + math.floor(random() * #bsp.brushes)]
		local h = hull(brush.planes, box_extent(brush.aabb))
		local polygon = h.polygons[1 + math.floor(random() * #h.polygons)]
		if polygon then
			local p = along(polygon[1], sub(polygon[2], polygon[1]), random())
			p = along(p, sub(polygon[3], p), random())
			local out = unit(sub(p, h.mean))
			points[#points + 1] = along(p, out, nudge)
			points[#points + 1] = along(p, out, -nudge)
		end
	end
	return points
end

--- Points where tree and brushes disagree: {point, bsp, brute, leaf, margin}. margin is how deep
--- the point is in the brushes at fault: below the rounding of f32 planes it is nobody's fault.
function M.disagreements(model, points, min_margin)
	local brushes, out = compiled(model).bsp.brushes, {}
	for _, p in ipairs(points) do
		local tree, leaf = M.point_contents(model, p[1], p[2], p[3])
		local brute, hits = M.point_contents_brute(model, p[1], p[2], p[3])
		if tree ~= brute then
			local margin = 0
			for _, hit in ipairs(hits) do
				if brushes[hit + 1].contents & ~tree ~= 0 then
					local depth = math.huge
					for _, plane in ipairs(brushes[hit + 1].planes) do
						depth = math.min(depth, plane.d - dot(plane.n, p))
					end
					margin = math.max(margin, depth)
				end
			end
			if margin >= (min_margin or 0) then
				out[#out + 1] = { point = p, bsp = tree, brute = brute, leaf = leaf, margin = margin }
			end
		end
	end
	return out
end

-- ---- the tree --------------------------------------------------------------------------------

-- Every link from the root, once: visit(link, depth). Returns nodes met twice.
function M.walk(bsp, visit)
	local twice, seen = {}, {}
	local stack = { { bsp.root, 0 } }
	while #stack > 0 do
		local link, depth = table.unpack(table.remove(stack))
		if link >= 0 and seen[link] then
			twice[#twice + 1] = link
		else
			seen[link] = true
			visit(link, depth)
			local node = link >= 0 and bsp.nodes[link + 1]
			if node then
				stack[#stack + 1] = { node.front, depth + 1 }
				stack[#stack + 1] = { node.back, depth + 1 }
			end
		end
	end
	return twice
end

--- Size of the tree and what a question costs: depth (longest path, in nodes) and stored_depth;
--- nodes, leaves, planes, brushes, leaf_brushes (counts); leaf_mean and leaf_worst (brushes of a
--- reached leaf); with points {x, y, z}[] also queries, brushes_mean, brushes_worst, nodes_mean,
--- nodes_worst.
function M.bsp_stats(model, points)
	local bsp = compiled(model).bsp
	local s = {
		stored_depth = bsp.depth, depth = 0, nodes = #bsp.nodes, leaves = #bsp.leaves,
		planes = #bsp.planes, brushes = #bsp.brushes, leaf_brushes = #bsp.leaf_brushes,
		leaf_mean = 0, leaf_worst = 0,
	}
	local reached = 0
	M.walk(bsp, function(link, depth)
		if link >= 0 then return end
		local leaf = bsp.leaves[~link + 1]
		s.depth = math.max(s.depth, depth)
		reached = reached + 1
		s.leaf_mean = s.leaf_mean + (leaf and leaf.count or 0)
		s.leaf_worst = math.max(s.leaf_worst, leaf and leaf.count or 0)
	end)
	s.leaf_mean = s.leaf_mean / math.max(reached, 1)
	if points then
		s.queries, s.brushes_mean, s.brushes_worst, s.nodes_mean, s.nodes_worst = #points, 0, 0, 0, 0
		for _, p in ipairs(points) do
			local _, _, tested, passed = M.point_contents(model, p[1], p[2], p[3])
			s.brushes_mean = s.brushes_mean + tested / #points
			s.nodes_mean = s.nodes_mean + passed / #points
			s.brushes_worst = math.max(s.brushes_worst, tested)
			s.nodes_worst = math.max(s.nodes_worst, passed)
		end
	end
	return s
end

-- A convex volume cut by a plane: back and front part, nil where it is thinner than eps.
local function cut(volume, plane, eps)
	local least, most = math.huge, -math.huge
	for _, polygon in ipairs(volume.polygons) do
		for _, p in ipairs(polygon) do
			local at = dot(plane.n, p) - plane.d
			least, most = math.min(least, at), math.max(most, at)
		end
	end
	if most <= eps then return volume, nil end
	if least >= -eps then return nil, volume end
	local cap = plane_square(plane, volume.size)
	for _, other in ipairs(volume.planes) do
		cap = cap and clip(cap, other, 1e-9 * volume.size, 1)
	end
	local function part(sign)
		local out = { polygons = { cap }, planes = table.move(volume.planes, 1, #volume.planes, 1, {}),
			size = volume.size }
		out.planes[#out.planes + 1] = {
			n = { sign * plane.n[1], sign * plane.n[2], sign * plane.n[3] }, d = sign * plane.d,
		}
		for _, polygon in ipairs(volume.polygons) do
			out.polygons[#out.polygons + 1] = clip(polygon, plane, 1e-9 * volume.size, sign)
		end
		return out
	end
	return part(1), part(-1)
end

--- Where a brush reaches into a leaf that does not say so: every brush is cut down the tree, and in
--- each leaf that does not list it the middle of its piece is asked for both ways. Rows {brush,
--- leaf, point, bsp, brute}. A piece thinner than eps (0.01) is let pass, and so is one whose
--- contents other brushes of the leaf have as well. Not a matter of luck, unlike disagreements().
function M.leaf_misses(model, eps)
	local bsp = compiled(model).bsp
	eps = eps or 0.01
	local misses = {}
	for index, brush in ipairs(bsp.brushes) do
		local extent = box_extent(brush.aabb)
		local h = hull(brush.planes, extent)
		local stack = { { bsp.root, { polygons = h.polygons, planes = brush.planes,
			size = 8 * extent + 64 } } }
		if h.thickness <= 0 or not h.bounded then stack = {} end
		while #stack > 0 do
			local link, volume = table.unpack(table.remove(stack))
			if link >= 0 then
				local node = bsp.nodes[link + 1]
				local back, front = cut(volume, bsp.planes[node.plane + 1], eps)
				if back then stack[#stack + 1] = { node.back, back } end
				if front then stack[#stack + 1] = { node.front, front } end
			else
				local leaf, listed = bsp.leaves[~link + 1], false
				for i = leaf.first + 1, leaf.first + leaf.count do
					listed = listed or bsp.leaf_brushes[i] == index - 1
				end
				if not listed then
					local mean, n = { 0, 0, 0 }, 0
					for _, polygon in ipairs(volume.polygons) do
						for _, p in ipairs(polygon) do mean, n = along(mean, p, 1), n + 1 end
					end
					if n > 0 then mean = along({ 0, 0, 0 }, mean, 1 / n) end
					local tree = M.point_contents(model, mean[1], mean[2], mean[3])
					local brute = M.point_contents_brute(model, mean[1], mean[2], mean[3])
					if n > 0 and tree ~= brute then
						misses[#misses + 1] = { brush = index - 1, leaf = ~link, point = mean,
							bsp = tree, brute = brute }
					end
				end
			end
		end
	end
	return misses
end

return M
