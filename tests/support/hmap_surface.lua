-- Judges of the surface that a compiled level draws: what its edges and triangles enclose.
local shapes = require "hmap_hull"
local tree = require "hmap_tree"

local length, sub, compiled, cross = shapes.length, shapes.sub, shapes.compiled, shapes.cross
local along, unit = shapes.along, shapes.unit

local M = {}

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
function M.triangle(batch, t)
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
		if batch.model == 0 then return (tree.point_contents(model, p[1], p[2], p[3])) end
		local owner = c.models[batch.model + 1]
		return (tree.point_contents_brute(model, p[1], p[2], p[3], owner and owner.brushes or {}))
	end
	for b, batch in ipairs(c.batches) do
		for t = 1, batch.source == 0 and #batch.indices - 2 or 0, 3 do
			local n, middle, height = M.triangle(batch, t)
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

return M
