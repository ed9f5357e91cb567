local reader = require "hmap_reader"

-- Files put together by hand, field by field in the order of the document.
local function u8(...) return string.pack(("<" .. ("I1"):rep(select("#", ...))), ...) end

local function u32(...) return string.pack(("<" .. ("I4"):rep(select("#", ...))), ...) end

local function i32(...) return string.pack(("<" .. ("i4"):rep(select("#", ...))), ...) end

local function f32(...) return string.pack(("<" .. ("f"):rep(select("#", ...))), ...) end

local function str(s) return u32(#s) .. s end

local function list(items) return u32(#items) .. table.concat(items) end

local function chunk(tag, payload) return tag .. u32(#payload) .. payload end

local function file(flags, ...) return "HMAP" .. u32(1, flags) .. table.concat { ... } end

local UV = f32(0.25, 0.5, 1, 2, 90)

-- The six planes of a box from x to x2, y and z 0..8, solid behind.
local function box_planes(x, x2)
	return {
		f32(1, 0, 0, x2), f32(-1, 0, 0, -x), f32(0, 1, 0, 8), f32(0, -1, 0, 0), f32(0, 0, 1, 8),
		f32(0, 0, -1, 0),
	}
end

local function source_brush(id, owner, contents, x, x2)
	local faces = box_planes(x, x2)
	for i, plane in ipairs(faces) do faces[i] = plane .. i32(0) .. UV .. u32(0) end
	return u32(id, owner, contents, 0) .. list(faces)
end

local function collision_brush(id, contents, x, x2, planes)
	return u32(contents, id) .. f32(x, 0, 0, x2, 8, 8) .. list(planes or box_planes(x, x2))
end

local META = str "town" .. f32(0.1, 0.2, 0.3, 16, 32) .. u32(9)
local MATS = list { str "brick" .. str "brick.png" .. f32(64, 64, 1, 0.5, 0.25) .. u32(7) }
local BRSH = list { source_brush(1, 0, 1, 0, 8), source_brush(2, 0, 2, 16, 24) }
local MESH = list {
	u32(3, 0, 0) .. str "sign"
		.. list { f32(0, 0, 0), f32(4, 0, 0), f32(4, 4, 0), f32(0, 4, 0) }
		.. list { i32(0) .. u32(1) .. UV .. list { u32(0), u32(1), u32(2), u32(3) } .. list {} },
}
local ENTS = list {
	u32(4, 0) .. str "light" .. f32(1, 2, 3, 0, 90, 0, 1, 1, 1)
		.. list { str "color" .. str "1 1 1", str "color" .. str "\u{e9}" },
}

-- Corners of the box x 0..8 and its sides, counter-clockwise from outside.
local CORNERS = {
	{ 0, 0, 0 }, { 8, 0, 0 }, { 8, 8, 0 }, { 0, 8, 0 }, { 0, 0, 8 }, { 8, 0, 8 }, { 8, 8, 8 },
	{ 0, 8, 8 },
}
local SIDES = {
	{ 2, 3, 7, 6, n = { 1, 0, 0 } }, { 1, 5, 8, 4, n = { -1, 0, 0 } },
	{ 4, 8, 7, 3, n = { 0, 1, 0 } }, { 1, 2, 6, 5, n = { 0, -1, 0 } },
	{ 5, 6, 7, 8, n = { 0, 0, 1 } }, { 1, 4, 3, 2, n = { 0, 0, -1 } },
}

-- options: turned = side whose triangles face in, left_out = side not drawn.
local function batch(options)
	local vertices, indices = {}, {}
	for s, side in ipairs(SIDES) do
		if s ~= options.left_out then
			local first = #vertices
			for i = 1, 4 do
				local c = CORNERS[side[i]]
				vertices[#vertices + 1] = f32(c[1], c[2], c[3]) .. f32(table.unpack(side.n))
					.. f32(0.5, 0.75) .. u32(0xFFFFFFFF)
			end
			local order = s == options.turned and { 0, 2, 1, 0, 3, 2 } or { 0, 1, 2, 0, 2, 3 }
			for _, i in ipairs(order) do indices[#indices + 1] = u32(first + i) end
		end
	end
	return i32(0) .. u8(0) .. i32(0) .. list(vertices) .. list(indices)
end

-- Two boxes (solid x 0..8, water x 16..24) parted by the plane x = 12.
local function compiled(options)
	options = options or {}
	local brushes = {
		collision_brush(1, 1, 0, 8, options.planes), collision_brush(2, 2, 16, 24),
	}
	local bsp = i32(options.root or 0) .. u32(options.depth or 1) .. f32(0, 0, 0, 24, 8, 8)
		.. list { f32(1, 0, 0, options.split or 12) }
		.. list { i32(options.plane or 0, ~0, options.back or ~1) }
		.. list { u32(0, 1), u32(1, 1) } .. list { u32(1), u32(options.brush or 0) } .. list(brushes)
	return f32(0.1, 0.2, 0.3, 32) .. u8(0) .. f32(0, 0, 0, options.bound or 24, 8, 8)
		.. list { batch(options) }
		.. list { u32(0) .. f32(0, 0, 0, 24, 8, 8) .. list(brushes) }
		.. bsp
		.. list { u32(3) .. f32(0, 0, 0, 4, 4, 0) .. list { f32(0, 0, 0), f32(4, 0, 0), f32(4, 4, 0) } }
		.. list { u8(1) .. f32(1, 2, 3, 0, 0, -1, 1, 1, 0.5, 2, 300, 20, 45) .. u32(4) }
end

local function town(options)
	return file(3, chunk("META", META), chunk("MATS", MATS), chunk("BRSH", BRSH), chunk("MESH", MESH),
		chunk("ENTS", ENTS), chunk("NEW!", "later"), chunk("CMPL", compiled(options)))
end

local function refused(bytes)
	local ok, message = pcall(reader.read, bytes)
	assert.is_false(ok)
	return message
end

local function found(model, pattern)
	for _, row in ipairs(reader.check(model)) do
		local line = row.level .. " " .. row.where .. ": " .. row.text
		if line:find(pattern, 1, true) then return true end
	end
	error("not found: " .. pattern .. "\n" .. reader.errors(model))
end

describe("hmap_reader", function()
	it("reads every field where it is", function()
		local m = reader.read(town())
		assert.same({ 1, 3 }, { m.version, m.flags })
		assert.same({ { tag = "NEW!", bytes = "later" } }, m.unknown)
		assert.equal("META MATS BRSH MESH ENTS NEW! CMPL", (function()
			local tags = {}
			for i, c in ipairs(m.chunks) do tags[i] = c.tag end
			return table.concat(tags, " ")
		end)())
		assert.same({ "town", 16.0, 32.0, 9 },
			{ m.meta.name, m.meta.grid_size, m.meta.units_per_meter, m.meta.next_id })
		assert.same({ name = "brick", texture = "brick.png", tile_size = { 64.0, 64.0 },
			color = { 1.0, 0.5, 0.25 }, flags = 7 }, m.materials[1])
		assert.same({ 2, 0, 2, 6 }, { m.brushes[2].id, m.brushes[2].owner, m.brushes[2].contents,
			#m.brushes[2].faces })
		assert.same({ plane = { n = { -1.0, 0.0, 0.0 }, d = -16.0 }, material = 0, flags = 0,
			uv = { offset = { 0.25, 0.5 }, scale = { 1.0, 2.0 }, rotation = 90.0 } },
			m.brushes[2].faces[2])
		local polygon = m.meshes[1].polygons[1]
		assert.same({ "sign", 4, 1, { 0, 1, 2, 3 }, {} }, { m.meshes[1].name, #m.meshes[1].vertices,
			polygon.smooth, polygon.indices, polygon.uvs })
		assert.same({ id = 4, flags = 0, classname = "light", origin = { 1.0, 2.0, 3.0 },
			angles = { 0.0, 90.0, 0.0 }, scale = { 1.0, 1.0, 1.0 },
			kv = { { "color", "1 1 1" }, { "color", "\u{e9}" } } }, m.entities[1])
		local c = m.compiled
		assert.same({ 32.0, 0, { 24.0, 8.0, 8.0 } }, { c.units_per_meter, c.baked, c.bounds.max })
		local b = c.batches[1]
		assert.same({ 0, 0, 0, 24, 36 }, { b.material, b.source, b.model, #b.pos, #b.indices })
		assert.same({ { 8.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0 }, { 0.5, 0.75 }, 0xFFFFFFFF },
			{ b.pos[1], b.normal[1], b.uv[1], b.color[1] })
		assert.same({ 0, 2 }, { c.models[1].entity_id, #c.models[1].brushes })
		assert.same({ contents = 2, source_id = 2, planes = c.models[1].brushes[2].planes,
			aabb = { min = { 16.0, 0.0, 0.0 }, max = { 24.0, 8.0, 8.0 } } }, c.bsp.brushes[2])
		assert.same({ { plane = 0, front = -1, back = -2 } }, c.bsp.nodes)
		assert.same({ 1, 0 }, c.bsp.leaf_brushes)
		assert.same({ 3, 3 }, { c.mesh_collisions[1].object_id, #c.mesh_collisions[1].vertices })
		assert.same({ type = 1, pos = { 1.0, 2.0, 3.0 }, dir = { 0.0, 0.0, -1.0 },
			color = { 1.0, 1.0, 0.5 }, intensity = 2.0, radius = 300.0, inner = 20.0, outer = 45.0,
			entity_id = 4 }, c.lights[1])
		assert.same({ 0x11, 0x22, 0x33, 0x44 }, { reader.rgba(0x44332211) })
		assert.same({}, reader.check(m))
	end)

	it("refuses what is not a file of version 1", function()
		assert.equal("hmap: header, byte 0: 12 bytes expected, 0 left", refused "")
		assert.equal('hmap: byte 0: "HMAP" expected, "HMAQ" found', refused("HMAQ" .. u32(1, 0)))
		assert.equal("hmap: byte 4: version 1 expected, 2 found", refused("HMAP" .. u32(2, 0)))
		assert.equal("hmap: chunk header, byte 12: 8 bytes expected, 3 left",
			refused(file(0) .. "MET"))
		assert.equal('hmap: chunk "META", byte 20: 9 bytes expected, 1 left',
			refused(file(0) .. "META" .. u32(9) .. "x"))
	end)

	it("refuses every chunk that ends early, or late", function()
		for tag, payload in pairs { META = META, MATS = MATS, BRSH = BRSH, MESH = MESH, ENTS = ENTS,
			CMPL = compiled() } do
			for n = 0, #payload - 1 do
				-- Followed by another chunk, which must not be read into.
				local bytes = file(0, chunk(tag, payload:sub(1, n)), chunk("NEXT", ("\0"):rep(4096)))
				assert.matches("^hmap: " .. tag .. ".*%d+ [%l ]*left$", refused(bytes))
			end
			assert.matches("1 bytes left over in the chunk$",
				refused(file(0, chunk(tag, payload .. "x"))))
		end
	end)

	it("refuses a count before making room for it", function()
		assert.equal("hmap: BRSH.brushes, byte 24: 4294967295 items of at least 20 bytes expected, "
			.. "0 bytes left", refused(file(0, chunk("BRSH", u32(0xFFFFFFFF)))))
		assert.equal("hmap: ENTS.entities[0].kv, byte 76: 9 items of at least 8 bytes expected, "
			.. "0 bytes left", refused(file(0, chunk("ENTS", u32(1) .. u32(1, 0) .. str ""
			.. f32(0, 0, 0, 0, 0, 0, 1, 1, 1) .. u32(9)))))
	end)

	it("refuses or checks a file with a byte changed", function()
		local whole = town()
		for at = 1, #whole, 3 do -- every third: fields are one or four bytes
			for _, value in ipairs { 0, 0x7F, 0xFF, whole:byte(at) ~ 1 } do
				local bytes = whole:sub(1, at - 1) .. string.char(value) .. whole:sub(at + 1)
				local ok, model = pcall(reader.read, bytes)
				if ok then
					assert.is_table(reader.check(model))
				else
					assert.matches("^hmap: ", model)
				end
			end
		end
	end)

	it("reports what can be read and is wrong all the same", function()
		local function meta(name, grid)
			return chunk("META", str(name) .. f32(0, 0, 0, grid, 32) .. u32(1))
		end
		found(reader.read(file(0, meta("\xff", 1))), "error META.name: not UTF-8")
		found(reader.read(file(0, meta("a\0", 1))), "error META.name: NUL in a string")
		found(reader.read(file(0, meta("", 0 / 0))), "error META.gridSize: not finite")
		local twice = reader.read(file(0, meta("one", 1), meta("two", 1)))
		assert.equal("one", twice.meta.name)
		found(twice, "error META: a second chunk at byte 51")
		found(reader.read(file(2)), "error header: flags 2, but CMPL is not there")
		found(reader.read(file(1)), "note header: flags 1, but there is neither BRSH nor MESH")
		found(reader.read(file(0, chunk("BRSH", list {}))), "error header: flags 0, but source")
		found(reader.read(file(2, chunk("CMPL", compiled()), chunk("MATS", MATS),
			chunk("ENTS", ENTS))), "error ENTS: comes after CMPL")
	end)
end)

describe("hmap_reader's judges", function()
	it("tell contents by the tree and without", function()
		local m = reader.read(town())
		local function both(x, y, z)
			local contents, leaf, tested, passed = reader.point_contents(m, x, y, z)
			assert.equal(contents, (reader.point_contents_brute(m, x, y, z)))
			return { contents, leaf, tested, passed }
		end
		assert.same({ 1, 1, 1, 1 }, both(4, 4, 4))
		assert.same({ 2, 0, 1, 1 }, both(20, 4, 4))
		assert.same({ 0, 0, 1, 1 }, both(12, 4, 4)) -- on the plane is in front
		assert.same({ 0, 1, 1, 1 }, both(8, 4, 4)) -- and on a face is outside
		assert.same({ 0 }, { both(4, 9, 4)[1] })
		assert.same({}, reader.disagreements(m, reader.sample_points(m, 400)))
		assert.same({}, reader.leaf_misses(m))
	end)

	it("see a tree that parts a brush from its leaf", function()
		local m = reader.read(town { split = 20 })
		local misses = reader.leaf_misses(m)
		assert.equal(1, #misses)
		assert.same({ brush = 1, leaf = 1, point = { 18.0, 4.0, 4.0 }, bsp = 0, brute = 2 }, misses[1])
		assert.is_true(#reader.disagreements(m, reader.sample_points(m, 400)) > 10)
		assert.same({ { point = { 17, 4, 4 }, bsp = 0, brute = 2, leaf = 1, margin = 1.0 } },
			reader.disagreements(m, { { 17, 4, 4 }, { 21, 4, 4 } }))
		assert.same({}, reader.disagreements(m, { { 17, 4, 4 } }, 1.5))
	end)

	it("cut brushes that lie across many planes", function()
		-- One brush x 0..8 under the planes y = 4 and x = 4: three leaves, of which `missing` is empty.
		local function grid(missing)
			local leaves, refs = {}, {}
			for i = 0, 2 do
				leaves[i + 1] = u32(#refs, i == missing and 0 or 1)
				if i ~= missing then refs[#refs + 1] = u32(0) end
			end
			return reader.read(file(2, chunk("CMPL", f32(0, 0, 0, 1) .. u8(0) .. f32(0, 0, 0, 8, 8, 8)
				.. list {} .. list { u32(0) .. f32(0, 0, 0, 8, 8, 8) .. list {} }
				.. i32(0) .. u32(2) .. f32(0, 0, 0, 8, 8, 8)
				.. list { f32(0, 1, 0, 4), f32(-1, 0, 0, -4) }
				.. list { i32(0, 1, ~0), i32(1, ~1, ~2) } .. list(leaves) .. list(refs)
				.. list { collision_brush(1, 1, 0, 8) } .. list {} .. list {})))
		end
		assert.same({}, reader.leaf_misses(grid(nil)))
		for leaf, middle in pairs { [0] = { 4.0, 2.0, 4.0 }, { 2.0, 6.0, 4.0 }, { 6.0, 6.0, 4.0 } } do
			local misses = reader.leaf_misses(grid(leaf))
			assert.equal(1, #misses)
			assert.same({ leaf, middle }, { misses[1].leaf, misses[1].point })
		end
		assert.same({ 2, 3 }, { reader.bsp_stats(grid(nil)).depth, reader.bsp_stats(grid(nil)).leaves })
		assert.equal("", reader.errors(grid(nil)))
		found(grid(nil), "note CMPL.models[0]: 0 brushes, other than the 1 of the tree")
	end)

	it("measure a tree", function()
		local s = reader.bsp_stats(reader.read(town()), { { 4, 4, 4 }, { 20, 4, 4 } })
		assert.same({
			stored_depth = 1, depth = 1, nodes = 1, leaves = 2, planes = 1, brushes = 2,
			leaf_brushes = 2, leaf_mean = 1.0, leaf_worst = 1, queries = 2, brushes_mean = 1.0,
			brushes_worst = 1, nodes_mean = 1.0, nodes_worst = 1,
		}, s)
	end)

	it("find open edges", function()
		local open, stats = reader.half_edges(reader.read(town()))
		assert.same({}, open)
		assert.same({ triangles = 12, edges = 18, degenerate = 0, crowded = {} }, stats)
		open, stats = reader.half_edges(reader.read(town { left_out = 6 }))
		assert.same({ 10, 4 }, { stats.triangles, #open })
		for _, edge in ipairs(open) do
			assert.equal(1, edge.forward + edge.back)
			assert.same({ 0.0, 0.0 }, { edge.a[3], edge.b[3] })
		end
		-- A side turned round meets its neighbours twice the same way.
		open = reader.half_edges(reader.read(town { turned = 1 }))
		assert.equal(4, #open)
		assert.same({ 0, 2 }, { math.min(open[1].forward, open[1].back),
			math.max(open[1].forward, open[1].back) })
		assert.same({}, (reader.half_edges(reader.read(town { turned = 1 }), { source = 1 })))
		assert.equal(0, #reader.half_edges(reader.read(town()), { eps = 1 / 64 }))
	end)

	it("look before and behind the surface", function()
		local s = reader.surface(reader.read(town()))
		assert.same({ back_empty = {}, front_solid = {}, triangles = 12, slivers = 0 }, s)
		s = reader.surface(reader.read(town { turned = 3 }))
		assert.same({ 2, 2 }, { #s.back_empty, #s.front_solid })
		assert.same({ 0, 4 }, { s.back_empty[1].batch, s.back_empty[1].triangle })
	end)

	it("check every reference and direction", function()
		local function wrong(options, pattern) found(reader.read(town(options)), "error " .. pattern) end
		wrong({ turned = 1 }, "CMPL.batches[0].triangles[0]: winding against the normal, cosine -1.000")
		wrong({ bound = 4 }, "CMPL.batches[0].vertices[0]: 8 0 0 is outside the bounds")
		wrong({ depth = 2 }, "CMPL.bsp: depth 2, the longest path has 1 nodes")
		wrong({ plane = 1 }, "CMPL.bsp.nodes[0]: plane 1 of 1")
		wrong({ back = 0 }, "CMPL.bsp: node 0 is reached twice")
		wrong({ back = 1 }, "CMPL.bsp: link to node 1 of 1")
		wrong({ back = ~2 }, "CMPL.bsp: link to leaf 2 of 2")
		wrong({ brush = 2 }, "CMPL.bsp.leafBrushes[1]: brush 2 of 2")
		wrong({ planes = { f32(1, 0, 0, 8) } }, "CMPL.bsp.brushes[0]: its planes do not close")
		wrong({ planes = {} }, "CMPL.bsp.brushes[0]: no volume behind its planes")
		local turned = {}
		for i, plane in ipairs(box_planes(0, 8)) do
			local x, y, z, d = ("<ffff"):unpack(plane)
			turned[i] = f32(-x, -y, -z, -d)
		end
		wrong({ planes = turned }, "CMPL.models[0].brushes[0]: no volume behind its planes")
		wrong({ planes = box_planes(0, 9) }, "CMPL.bsp.brushes[0]: corner 9")
		found(reader.read(town { planes = box_planes(0, 7) }),
			"note CMPL.bsp.brushes[0]: box is 1 wider than the brush")
		assert.has_error(function()
			reader.point_contents(reader.read(town { back = 0 }), 4, 4, 4)
		end, "hmap: BSP nodes go in a circle")
	end)

	it("check the source chunks", function()
		local function source(brsh, mesh)
			return reader.read(file(1, chunk("BRSH", list(brsh)), chunk("MESH", list(mesh or {}))))
		end
		local m = source { source_brush(1, 5, 32, 0, 8), source_brush(1, 0, 1, 0, 8) }
		found(m, "error BRSH[0]: owner 5 is no entity")
		found(m, "error BRSH[0]: contents 0x20")
		found(m, "error BRSH[0].faces[0]: material 0 of 0")
		found(m, "error BRSH[1]: id 1 is also that of BRSH[0]")
		local function mesh(points, indices, uvs)
			local vertices = {}
			for i, p in ipairs(points) do vertices[i] = f32(p[1], p[2], 0) end
			return source({}, { u32(1, 0, 0) .. str "" .. list(vertices)
				.. list { i32(-1) .. u32(0) .. UV .. list(indices) .. list(uvs or {}) } })
		end
		local square = { { 0, 0 }, { 4, 0 }, { 1, 1 }, { 0, 4 } } -- dented
		local all = { u32(0), u32(1), u32(2), u32(3) }
		found(mesh(square, all), "error MESH[0].polygons[0]: not convex at corner 2")
		found(mesh(square, { u32(0), u32(1), u32(9) }), "MESH[0].polygons[0]: vertex 9 of 4")
		found(mesh(square, { u32(0) }), "error MESH[0].polygons[0]: 1 corners")
		found(mesh(square, all, { f32(0, 0) }), "error MESH[0].polygons[0]: 1 uvs for 4 corners")
	end)
end)
