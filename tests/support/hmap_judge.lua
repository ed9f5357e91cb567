-- Judges of a decoded .hmap (see hmap_reader), from the format document alone: they know nothing of
-- how a map is compiled, only what a compiled map has to be.
local M = {}

local KNOWN_CONTENTS = 1 | 2 | 4 | 8 | 16

-- ---- vectors and convex hulls ----------------------------------------------------------------

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
local function walk(bsp, visit)
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
	walk(bsp, function(link, depth)
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

-- ---- the drawn surface -----------------------------------------------------------------------

-- Numbers positions: the same number for the same place, exactly or (eps > 0) within eps of the
-- first point that was put there.
local function welder(eps)
	local cells, places = {}, {}
	local function key(x, y, z) return ("<ddd"):pack(x, y, z) end
	local function number(cell, p)
		places[#places + 1] = p
		cells[cell] = cells[cell] or {}
		table.insert(cells[cell], #places)
		return #places
	end
	if eps <= 0 then
		return function(p) -- + 0.0 makes one zero of two
			local cell = key(p[1] + 0.0, p[2] + 0.0, p[3] + 0.0)
			return cells[cell] and cells[cell][1] or number(cell, p)
		end, places
	end
	return function(p)
		local x, y, z = p[1] // eps, p[2] // eps, p[3] // eps
		for i = -1, 1 do
			for j = -1, 1 do
				for k = -1, 1 do
					for _, at in ipairs(cells[key(x + i + 0.0, y + j + 0.0, z + k + 0.0)] or {}) do
						if length(sub(places[at], p)) <= eps then return at end
					end
				end
			end
		end
		return number(key(x + 0.0, y + 0.0, z + 0.0), p)
	end, places
end

--- Edges of the drawn triangles that do not close. Triangles of all materials of one model and
--- source are one surface; options: source (0 brush, 1 mesh), model and only (a function of a
--- batch) choose, eps = how far apart equal corners may be (0). An edge is open unless as many
--- triangles run along it one way as the other: rows {model, source, a, b, forward, back} with a
--- and b points. Second result: triangles, edges, degenerate (triangles without three corners, left
--- out), and crowded = edges that close but have more than two triangles, as rows. A plane surface
--- of a mesh is open by right.
function M.half_edges(model, options)
	options = options or {}
	local surfaces, order = {}, {}
	local stats = { triangles = 0, edges = 0, degenerate = 0, crowded = {} }
	for _, batch in ipairs(compiled(model).batches) do
		local name = batch.model .. "/" .. batch.source
		if (options.source or batch.source) == batch.source
			and (options.model or batch.model) == batch.model
			and (not options.only or options.only(batch)) then
			local s = surfaces[name]
			if not s then
				s = { model = batch.model, source = batch.source, edges = {}, order = {} }
				s.weld, s.places = welder(options.eps or 0)
				surfaces[name] = s
				order[#order + 1] = s
			end
			local at = {}
			for i, p in ipairs(batch.pos) do at[i] = s.weld(p) end
			for t = 1, #batch.indices - 2, 3 do
				local corner = {}
				for k = 0, 2 do corner[k + 1] = at[batch.indices[t + k] + 1] end
				if corner[1] == corner[2] or corner[2] == corner[3] or corner[3] == corner[1] then
					stats.degenerate = stats.degenerate + 1
				else
					stats.triangles = stats.triangles + 1
					for k = 1, 3 do
						local a, b = corner[k], corner[k % 3 + 1]
						local low, high = math.min(a, b), math.max(a, b)
						local key = low << 32 | high
						local edge = s.edges[key]
						if not edge then
							edge = { a = low, b = high, forward = 0, back = 0 }
							s.edges[key] = edge
							s.order[#s.order + 1] = edge
						end
						local way = a == low and "forward" or "back"
						edge[way] = edge[way] + 1
					end
				end
			end
		end
	end
	local open = {}
	for _, s in ipairs(order) do
		stats.edges = stats.edges + #s.order
		for _, edge in ipairs(s.order) do
			local list = edge.forward ~= edge.back and open or edge.forward > 1 and stats.crowded
			if list then
				list[#list + 1] = { model = s.model, source = s.source, a = s.places[edge.a],
					b = s.places[edge.b], forward = edge.forward, back = edge.back }
			end
		end
	end
	return open, stats
end

-- Normal (by the winding, counter-clockwise in front), middle and least height of triangle t.
local function triangle(batch, t)
	local p = {}
	for k = 0, 2 do
		p[k + 1] = batch.pos[batch.indices[t + k] + 1]
		if not p[k + 1] then return nil end
	end
	local n = cross(sub(p[2], p[1]), sub(p[3], p[1]))
	local longest = math.max(length(sub(p[2], p[1])), length(sub(p[3], p[2])),
		length(sub(p[1], p[3])))
	local middle = along(along(along({ 0, 0, 0 }, p[1], 1 / 3), p[2], 1 / 3), p[3], 1 / 3)
	return unit(n), middle, longest > 0 and length(n) / longest or 0
end

--- Does each brush triangle have something behind it and nothing in front? From its middle, `nudge`
--- (0.01) to both sides. Rows {batch, triangle, point, contents}: back_empty = nothing behind
--- (turned round, or off its brush; brushes that do not collide end here too), front_solid = a
--- solid in front, which only a compiler that removes hidden faces has to avoid. Slivers lower than
--- 4 x nudge are left out and counted.
function M.surface(model, nudge)
	local c = compiled(model)
	local out = { back_empty = {}, front_solid = {}, triangles = 0, slivers = 0 }
	nudge = nudge or 0.01
	local function contents(batch, p)
		if batch.model == 0 then return (M.point_contents(model, p[1], p[2], p[3])) end
		local owner = c.models[batch.model + 1]
		return (M.point_contents_brute(model, p[1], p[2], p[3], owner and owner.brushes or {}))
	end
	for b, batch in ipairs(c.batches) do
		for t = 1, batch.source == 0 and #batch.indices - 2 or 0, 3 do
			local n, middle, height = triangle(batch, t)
			if n and height < 4 * nudge then
				out.slivers = out.slivers + 1
			elseif n then
				out.triangles = out.triangles + 1
				local row = { batch = b - 1, triangle = t // 3, point = middle }
				local back = contents(batch, along(middle, n, -nudge))
				local front = contents(batch, along(middle, n, nudge))
				if back == 0 then out.back_empty[#out.back_empty + 1] = row end
				if front & 1 ~= 0 then
					row.contents = front
					out.front_solid[#out.front_solid + 1] = row
				end
			end
		end
	end
	return out
end

-- ---- check -----------------------------------------------------------------------------------

local Report = {}
Report.__index = Report

-- A few of each kind are enough; the rest are counted.
function Report:add(level, where, text, ...)
	local kind = level .. text
	local n = (self.kinds[kind] or 0) + 1
	self.kinds[kind] = n
	if n <= self.limit then
		self.list[#self.list + 1] = { level = level, where = where, text = text:format(...) }
	elseif n == self.limit + 1 then
		self.list[#self.list + 1] = { level = level, where = where, text = "", kind = kind }
	end
end

function Report:error(where, text, ...) self:add("error", where, text, ...) end

function Report:note(where, text, ...) self:add("note", where, text, ...) end

function Report:finish()
	for _, row in ipairs(self.list) do
		if row.kind then
			local more = self.kinds[row.kind] - self.limit
			row.text = ("and %d more: %s"):format(more, row.kind:sub(#row.level + 1))
			row.kind = nil
		end
	end
	return self.list
end

local function check_box(r, where, box)
	for k = 1, 3 do
		if box.min[k] > box.max[k] then
			return r:error(where, "box is inside out: %g > %g", box.min[k], box.max[k])
		end
	end
end

local function check_plane(r, where, plane)
	local l = length(plane.n)
	if math.abs(l - 1) > 1e-3 then r:error(where, "normal has length %.6g", l) end
end

local function check_material(r, where, material, model)
	local n = model.materials and #model.materials or 0
	if material < -1 or material >= n then r:error(where, "material %d of %d", material, n) end
end

local function check_contents(r, where, contents)
	if contents & ~KNOWN_CONTENTS ~= 0 then r:error(where, "contents %#x", contents) end
end

-- What a box may miss by: f32 planes, and corners where they meet at a sharp angle.
local function slack(box) return 0.002 + 4e-6 * box_extent(box) end

local function check_collision(r, where, brush, sources)
	check_contents(r, where, brush.contents)
	check_box(r, where .. ".aabb", brush.aabb)
	for i, plane in ipairs(brush.planes) do
		check_plane(r, ("%s.planes[%d]"):format(where, i - 1), plane)
	end
	local source = sources and sources[brush.source_id]
	if sources and not source then
		r:error(where, "sourceId %d is no brush of BRSH", brush.source_id)
	elseif source and source.contents ~= brush.contents then
		r:error(where, "contents %d, the source has %d", brush.contents, source.contents)
	end
	-- With normals turned round the volume "behind all planes" is empty or has no end.
	local h = hull(brush.planes, box_extent(brush.aabb))
	if not h.bounded then return r:error(where, "its planes do not close") end
	if h.thickness <= 0 then return r:error(where, "no volume behind its planes") end
	local eps, tight = slack(brush.aabb), { min = { 1 / 0, 1 / 0, 1 / 0 },
		max = { -1 / 0, -1 / 0, -1 / 0 } }
	for _, p in ipairs(h.points) do
		if outside(brush.aabb, p) > eps then
			r:error(where, "corner %g %g %g is outside its box", p[1], p[2], p[3])
			break
		end
		for k = 1, 3 do
			tight.min[k] = math.min(tight.min[k], p[k])
			tight.max[k] = math.max(tight.max[k], p[k])
		end
	end
	for k = 1, 3 do
		local spare = math.max(tight.min[k] - brush.aabb.min[k], brush.aabb.max[k] - tight.max[k])
		if spare > eps then
			r:note(where, "box is %g wider than the brush", spare)
			break
		end
	end
end

local function check_chunks(r, model)
	local at = {}
	for _, chunk in ipairs(model.chunks) do at[chunk.tag] = at[chunk.tag] or chunk.at end
	-- "flags (bit0 = source chunks, bit1 = compiled chunk)"
	local source, done = model.flags & 1 ~= 0, model.flags & 2 ~= 0
	if model.flags & ~3 ~= 0 then r:error("header", "flags %#x", model.flags) end
	if done ~= (at.CMPL ~= nil) then
		r:error("header", "flags %d, but CMPL is %s", model.flags, at.CMPL and "there" or "not there")
	end
	if not source and (at.BRSH or at.MESH) then
		r:error("header", "flags %d, but source chunks are there", model.flags)
	elseif source and not (at.BRSH or at.MESH) then
		r:note("header", "flags %d, but there is neither BRSH nor MESH", model.flags)
	end
	-- "the ENTS / MATS chunks that precede CMPL"
	for _, tag in ipairs { "ENTS", "MATS" } do
		if at.CMPL and at[tag] and at[tag] > at.CMPL then r:error(tag, "comes after CMPL") end
	end
end

-- A mesh polygon: "convex, indices are CCW", "uvCount is either 0 or idxCount".
local function check_polygon(r, where, mesh, polygon)
	local n = #polygon.indices
	if n < 3 then return r:error(where, "%d corners", n) end
	if #polygon.uvs ~= 0 and #polygon.uvs ~= n then
		r:error(where, "%d uvs for %d corners", #polygon.uvs, n)
	end
	local p, normal = {}, { 0, 0, 0 }
	for i, index in ipairs(polygon.indices) do
		p[i] = mesh.vertices[index + 1]
		if not p[i] then return r:error(where, "vertex %d of %d", index, #mesh.vertices) end
	end
	for i = 1, n do -- Newell's normal: right for any plane polygon, whichever corner is flat
		normal = along(normal, cross(sub(p[i], p[1]), sub(p[i % n + 1], p[1])), 1)
	end
	if length(normal) == 0 then return r:note(where, "polygon without area") end
	normal = unit(normal)
	for i = 1, n do
		local a, b, c = p[i], p[i % n + 1], p[(i + 1) % n + 1]
		local one, two = unit(sub(b, a)), unit(sub(c, b))
		if dot(cross(one, two), normal) < -1e-3 then
			r:error(where, "not convex at corner %d", i % n)
		end
		if math.abs(dot(sub(a, p[1]), normal)) > 0.01 then r:note(where, "not plane") end
	end
end

local function check_source(r, model)
	local ids, entities, sources = {}, { [0] = true }, model.brushes and {}
	local meshes = model.meshes and {}
	local function id(where, value, own)
		if value == 0 then r:error(where, "id 0, which means the world") end
		if own[value] then
			r:error(where, "id %d is also that of %s", value, own[value])
		elseif ids[value] then
			r:note(where, "id %d is also that of %s", value, ids[value])
		end
		own[value], ids[value] = where, where
		if model.meta and value >= model.meta.next_id then
			r:note(where, "id %d, but nextId is %d", value, model.meta.next_id)
		end
	end
	local own = {}
	for i, e in ipairs(model.entities or {}) do
		id(("ENTS[%d]"):format(i - 1), e.id, own)
		entities[e.id] = true
		if e.classname == "" then r:note(("ENTS[%d]"):format(i - 1), "no classname") end
	end
	own = {}
	for i, brush in ipairs(model.brushes or {}) do
		local where = ("BRSH[%d]"):format(i - 1)
		id(where, brush.id, own)
		sources[brush.id] = brush
		check_contents(r, where, brush.contents)
		if not entities[brush.owner] then r:error(where, "owner %d is no entity", brush.owner) end
		local planes = {}
		for j, face in ipairs(brush.faces) do
			local at = ("%s.faces[%d]"):format(where, j - 1)
			check_plane(r, at, face.plane)
			check_material(r, at, face.material, model)
			planes[j] = face.plane
		end
		local h = hull(planes, 1e6)
		if h.thickness <= 0 or not h.bounded then r:note(where, "its faces bound no volume") end
	end
	own = {}
	for i, mesh in ipairs(model.meshes or {}) do
		local where = ("MESH[%d]"):format(i - 1)
		id(where, mesh.id, own)
		meshes[mesh.id] = mesh
		if not entities[mesh.owner] then r:error(where, "owner %d is no entity", mesh.owner) end
		for j, polygon in ipairs(mesh.polygons) do
			local at = ("%s.polygons[%d]"):format(where, j - 1)
			check_material(r, at, polygon.material, model)
			check_polygon(r, at, mesh, polygon)
		end
	end
	return entities, sources, meshes
end

local function check_batch(r, where, batch, model)
	local c = model.compiled
	local owner = c.models[batch.model + 1]
	if not owner then r:error(where, "model %d of %d", batch.model, #c.models) end
	if batch.source > 1 then r:error(where, "source %d", batch.source) end
	check_material(r, where, batch.material, model)
	if #batch.indices % 3 ~= 0 then r:error(where, "%d indices are no triangles", #batch.indices) end
	local used = {}
	for _, index in ipairs(batch.indices) do
		used[index] = true
		if index >= #batch.pos then r:error(where, "index %d of %d", index, #batch.pos) end
	end
	for i, p in ipairs(batch.pos) do
		local at = ("%s.vertices[%d]"):format(where, i - 1)
		local l = length(batch.normal[i])
		if math.abs(l - 1) > 1e-3 then r:error(at, "normal has length %.6g", l) end
		if outside(c.bounds, p) > 1e-6 * box_extent(c.bounds) then
			r:error(at, "%g %g %g is outside the bounds", p[1], p[2], p[3])
		end
		if owner and outside(owner.aabb, p) > slack(owner.aabb) then
			r:error(at, "%g %g %g is outside the box of its model", p[1], p[2], p[3])
		end
		if c.baked == 0 and batch.color[i] ~= 0xFFFFFFFF then
			r:error(at, "colour %08X, but the map is not baked", batch.color[i])
		end
		if not used[i - 1] then r:note(at, "vertex of no triangle") end
	end
	for t = 1, #batch.indices - 2, 3 do
		local at = ("%s.triangles[%d]"):format(where, t // 3)
		local n, _, height = triangle(batch, t)
		if n and height == 0 then
			r:note(at, "triangle without area")
		elseif n and height > 1 / 32 then -- thinner, rounding may turn it
			for k = 0, 2 do -- "triangle lists, CCW front"
				local facing = dot(n, batch.normal[batch.indices[t + k] + 1])
				if facing <= 0 then
					r:error(at, "winding against the normal, cosine %.3f", facing)
					break
				elseif batch.source == 0 and facing < 0.999 then
					r:note(at, "flat face, but cosine %.4f between winding and normal", facing)
					break
				end
			end
		end
	end
end

local function check_models(r, model, entities, sources)
	local c, seen = model.compiled, {}
	if #c.models == 0 then r:error("CMPL.models", "no model 0, the world") end
	for i, m in ipairs(c.models) do
		local where = ("CMPL.models[%d]"):format(i - 1)
		check_box(r, where .. ".aabb", m.aabb)
		if (i == 1) ~= (m.entity_id == 0) then
			r:error(where, "entityId %d (0 is the world, the world is model 0)", m.entity_id)
		elseif not entities[m.entity_id] then
			r:error(where, "entityId %d is no entity", m.entity_id)
		elseif seen[m.entity_id] then
			r:error(where, "a second model of entity %d", m.entity_id)
		end
		seen[m.entity_id] = true
		for j, brush in ipairs(m.brushes) do
			local at = ("%s.brushes[%d]"):format(where, j - 1)
			check_collision(r, at, brush, sources)
			if outside(m.aabb, brush.aabb.min) > 0 or outside(m.aabb, brush.aabb.max) > 0 then
				r:error(at, "box is outside that of its model")
			end
			local source = sources and sources[brush.source_id]
			if source and source.owner ~= m.entity_id then
				r:error(at, "the source is owned by %d, the model is that of %d", source.owner,
					m.entity_id)
			end
		end
	end
end

local function check_bsp(r, model, sources)
	local bsp, where = model.compiled.bsp, "CMPL.bsp"
	check_box(r, where .. ".aabb", bsp.aabb)
	for i, plane in ipairs(bsp.planes) do
		check_plane(r, ("%s.planes[%d]"):format(where, i - 1), plane)
	end
	for i, node in ipairs(bsp.nodes) do
		if node.plane < 0 or node.plane >= #bsp.planes then
			r:error(("%s.nodes[%d]"):format(where, i - 1), "plane %d of %d", node.plane, #bsp.planes)
		end
	end
	local met, deepest, sound = {}, 0, true
	local twice = walk(bsp, function(link, depth)
		met[link] = true
		if link >= #bsp.nodes then
			r:error(where, "link to node %d of %d", link, #bsp.nodes)
			sound = false
		elseif link < 0 then
			deepest = math.max(deepest, depth)
			if ~link >= #bsp.leaves then
				r:error(where, "link to leaf %d of %d", ~link, #bsp.leaves)
				sound = false
			end
		end
	end)
	for _, link in ipairs(twice) do r:error(where, "node %d is reached twice", link) end
	if sound and #twice == 0 and deepest ~= bsp.depth then
		r:error(where, "depth %d, the longest path has %d nodes", bsp.depth, deepest)
	end
	for i = 0, #bsp.nodes - 1 do
		if not met[i] then r:note(where, "node %d is not reached", i) end
	end
	for i, leaf in ipairs(bsp.leaves) do
		local at = ("%s.leaves[%d]"):format(where, i - 1)
		if not met[~(i - 1)] then r:note(at, "leaf is not reached") end
		if leaf.first + leaf.count > #bsp.leaf_brushes then
			r:error(at, "brushes %d + %d of %d", leaf.first, leaf.count, #bsp.leaf_brushes)
		end
		local seen = {}
		for j = leaf.first + 1, math.min(leaf.first + leaf.count, #bsp.leaf_brushes) do
			local index = bsp.leaf_brushes[j]
			if seen[index] then r:note(at, "lists brush %d twice", index) end
			seen[index] = true
		end
	end
	local listed = {}
	for i, index in ipairs(bsp.leaf_brushes) do
		listed[index] = true
		if index >= #bsp.brushes then
			r:error(("%s.leafBrushes[%d]"):format(where, i - 1), "brush %d of %d", index, #bsp.brushes)
		end
	end
	for i, brush in ipairs(bsp.brushes) do
		local at = ("%s.brushes[%d]"):format(where, i - 1)
		check_collision(r, at, brush, sources)
		if not listed[i - 1] then r:note(at, "brush of no leaf") end
		if outside(bsp.aabb, brush.aabb.min) > 0 or outside(bsp.aabb, brush.aabb.max) > 0 then
			r:error(at, "box is outside that of the tree")
		end
		local source = sources and sources[brush.source_id]
		if source and source.owner ~= 0 then
			r:error(at, "the source is owned by %d, the tree is the world's", source.owner)
		end
	end
end

-- The world's brushes are in model 0 and in the tree; the document does not say that both lists are
-- the same, so that a difference is only a note.
local function check_world(r, c)
	local function ids(list)
		local out = {}
		for i, brush in ipairs(list) do out[i] = ("%d:%d"):format(brush.source_id, brush.contents) end
		table.sort(out)
		return table.concat(out, " ")
	end
	if c.models[1] and ids(c.models[1].brushes) ~= ids(c.bsp.brushes) then
		r:note("CMPL.models[0]", "%d brushes, other than the %d of the tree", #c.models[1].brushes,
			#c.bsp.brushes)
	end
end

local function check_rest(r, model, entities, meshes)
	local c = model.compiled
	for i, mesh in ipairs(c.mesh_collisions) do
		local where = ("CMPL.meshColl[%d]"):format(i - 1)
		check_box(r, where .. ".aabb", mesh.aabb)
		if #mesh.vertices % 3 ~= 0 then r:error(where, "%d vertices", #mesh.vertices) end
		if meshes and not meshes[mesh.object_id] then
			r:error(where, "objectId %d is no mesh of MESH", mesh.object_id)
		end
		for j, p in ipairs(mesh.vertices) do
			local at = ("%s.vertices[%d]"):format(where, j - 1)
			if outside(mesh.aabb, p) > 1e-6 * box_extent(mesh.aabb) then
				r:error(at, "%g %g %g is outside its box", p[1], p[2], p[3])
			end
			if outside(c.bounds, p) > 1e-6 * box_extent(c.bounds) then
				r:error(at, "%g %g %g is outside the bounds", p[1], p[2], p[3])
			end
		end
	end
	for i, light in ipairs(c.lights) do
		local where = ("CMPL.lights[%d]"):format(i - 1)
		if light.type > 2 then r:error(where, "type %d", light.type) end
		if not entities[light.entity_id] then
			r:error(where, "entityId %d is no entity", light.entity_id)
		elseif light.entity_id == 0 then
			r:note(where, "a light of the world")
		end
		if light.type > 0 and math.abs(length(light.dir) - 1) > 1e-3 then
			r:error(where, "direction has length %.6g", length(light.dir))
		end
		if light.type == 1 and light.inner > light.outer then
			r:note(where, "inner cone %g wider than outer %g", light.inner, light.outer)
		end
		if light.type < 2 and light.radius <= 0 then r:note(where, "radius %g", light.radius) end
	end
	for i, brush in ipairs(c.bsp.brushes) do
		if outside(c.bounds, brush.aabb.min) > 0 or outside(c.bounds, brush.aabb.max) > 0 then
			r:note(("CMPL.bsp.brushes[%d]"):format(i - 1), "box is outside the bounds")
		end
	end
	if model.meta then
		if c.units_per_meter ~= model.meta.units_per_meter then
			r:note("CMPL", "unitsPerMeter %g, META has %g", c.units_per_meter,
				model.meta.units_per_meter)
		end
		for k = 1, 3 do
			if c.ambient[k] ~= model.meta.ambient[k] then
				r:note("CMPL", "ambient differs from META")
				break
			end
		end
	end
end

--- Everything the document lets one check without asking points: links in range, ids, planes that
--- close in the right direction, winding against normals, boxes around what they should hold. A
--- list of {level, where, text}, empty if all is well; level "error" breaks the document, "note" is
--- only odd. `limit` (20) problems of a kind are listed.
function M.check(model, limit)
	local r = setmetatable({ list = {}, kinds = {}, limit = limit or 20 }, Report)
	for _, flaw in ipairs(model.flaws) do r:error(flaw.where, "%s", flaw.text) end
	check_chunks(r, model)
	local entities, sources, meshes = check_source(r, model)
	local c = model.compiled
	if c then
		if c.baked > 1 then r:error("CMPL.baked", "%d", c.baked) end
		check_box(r, "CMPL.bounds", c.bounds)
		for i, batch in ipairs(c.batches) do
			check_batch(r, ("CMPL.batches[%d]"):format(i - 1), batch, model)
		end
		check_models(r, model, entities, sources)
		check_bsp(r, model, sources)
		check_world(r, c)
		check_rest(r, model, entities, meshes)
	end
	return r:finish()
end

--- The errors of check() as one text, "" if there are none: assert.equal("", reader.errors(model)).
function M.errors(model)
	local out = {}
	for _, row in ipairs(M.check(model)) do
		if row.level == "error" then out[#out + 1] = row.where .. ": " .. row.text end
	end
	return table.concat(out, "\n")
end

return M
