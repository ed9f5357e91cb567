-- Judges of a decoded .hmap (see hmap_reader), from the format document alone: they know nothing of
-- how a map is compiled, only what a compiled map has to be.
local shapes = require "hmap_hull"

local hull, box_extent, outside = shapes.hull, shapes.box_extent, shapes.outside
local along, cross, dot = shapes.along, shapes.cross, shapes.dot
local length, sub, unit = shapes.length, shapes.sub, shapes.unit

local M = {}

for _, part in ipairs { "hmap_tree", "hmap_surface" } do
	for name, judge in pairs(require(part)) do M[name] = judge end
end

local KNOWN_CONTENTS = 1 | 2 | 4 | 8 | 16

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
		local n, _, height = M.triangle(batch, t)
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
	local twice = M.walk(bsp, function(link, depth)
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
