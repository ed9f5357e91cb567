-- Lint of .hmap files that are put together field by field, in the order of the format document.
local levels = require "mapwright.levellint"
local run = require "run"

local function u32(...) return string.pack(("<" .. ("I4"):rep(select("#", ...))), ...) end
local function f32(...) return string.pack(("<" .. ("f"):rep(select("#", ...))), ...) end
local function str(s) return u32(#s) .. s end
local function list(items) return u32(#items) .. table.concat(items) end
local function chunk(tag, payload) return tag .. u32(#payload) .. payload end

local UV = f32(0, 0, 1, 1, 0)

-- A brush with id, over planes {nx, ny, nz, d}; more: owner, contents, uv of all faces.
local function brush(id, planes, more)
	more = more or {}
	local faces = {}
	for i, p in ipairs(planes) do
		faces[i] = f32(table.unpack(p)) .. string.pack("<i4", 0) .. (more.uv or UV) .. u32(0)
	end
	return u32(id, more.owner or 0, more.contents or 1, 0) .. list(faces)
end

local function box(lo, hi)
	return { { 1, 0, 0, hi[1] }, { -1, 0, 0, -lo[1] }, { 0, 1, 0, hi[2] }, { 0, -1, 0, -lo[2] },
		{ 0, 0, 1, hi[3] }, { 0, 0, -1, -lo[3] } }
end

local function mesh(id, vertices, polygons, uv)
	local v, p = {}, {}
	for i, at in ipairs(vertices) do v[i] = f32(table.unpack(at)) end
	for i, poly in ipairs(polygons) do
		p[i] = string.pack("<i4", 0) .. u32(0) .. (uv or UV) .. u32(#poly, table.unpack(poly)) .. u32(0)
	end
	return u32(id, 0, 0) .. str "m" .. list(v) .. list(p)
end

local function entity(id, class, pairs)
	local kv = {}
	for i, pair in ipairs(pairs or {}) do kv[i] = str(pair[1]) .. str(pair[2]) end
	return u32(id, 0) .. str(class) .. f32(0, 0, 0, 0, 0, 0, 1, 1, 1) .. list(kv)
end

-- 32 units a metre and a grid of one unit, as .map files have: lengths below are map units.
local function file(o)
	local tile = o.tile or { 64, 64 }
	return "HMAP" .. u32(1, o.flags or 1)
		.. chunk("META", str "level" .. f32(0, 0, 0, o.grid or 1, o.metre or 32) .. u32(99))
		.. chunk("MATS", list { str "stone" .. str "" .. f32(tile[1], tile[2], 1, 1, 1) .. u32(0) })
		.. chunk("BRSH", list(o.brushes or {})) .. chunk("MESH", list(o.meshes or {}))
		.. chunk("ENTS", list(o.entities or {})) .. (o.more or "")
end

local HEAD = 12 + 8 + #"level" + 4 + 20 + 4 -- header and META
local BRSH = HEAD + 8 + 4 + 4 + #"stone" + 4 + 20 + 4 -- the tag, behind MATS
local FIRST = BRSH + 8 + 4 -- the first brush

local function level(bytes)
	local path = run.folder() .. "/x.hmap"
	run.write(path, bytes)
	return path
end

-- "brush.face rule" of what lint finds, with what else there is to say where it is asked for
local function found(bytes, disabled)
	local out = {}
	for i, f in ipairs(levels.check(level(bytes), { disabled = disabled or {} })) do
		local at = f.brush and f.brush .. (f.face and "." .. f.face or "")
			or f.mesh and "m" .. f.mesh .. (f.face and "." .. f.face or "")
			or f.entity and "e" .. f.entity or "-"
		out[i] = at .. " " .. f.id
	end
	return out
end

local plain = box({ 0, 0, 0 }, { 64, 64, 64 })
local function plus(planes, ...)
	return table.move({ ... }, 1, select("#", ...), #planes + 1, table.move(planes, 1, #planes, 1, {}))
end
local quad = { { 0, 0, 0 }, { 64, 0, 0 }, { 64, 64, 0 }, { 0, 64, 0 } }

describe("lint of a .hmap", function()
	after_each(run.clean)

	it("finds nothing in a plain box and a plain mesh", function()
		assert.same({}, found(file { brushes = { brush(1, plain) },
			meshes = { mesh(2, quad, { { 0, 1, 2, 3 } }) } }))
	end)

	it("names shapes with their brush and face", function()
		local cases = {
			{ { box({ 0, 0, 0 }, { 0.125, 0.125, 0.125 }) }, "0 map-brush-micro" },
			{ { box({ 0, 0, 0 }, { 64, 64, 0.03125 }) }, "0 map-brush-sliver", "0 map-off-grid" },
			{ { box({ 0, 0, 0 }, { 64, 64, 131200 }) }, "0 map-bounds" }, -- 4096 metres: 131072
			{ { box({ 0, 0, 0 }, { 64, 64, 131072 }) } },
			{ { box({ 0, 0, 0 }, { 64, 64, 64.3 }) }, "0 map-off-grid" },
			{ { { table.unpack(plain, 1, 5) } }, "0 map-brush-open" },
			{ { plus(plain, { 1, 0, 0, -1 }) }, "0 map-brush-empty" },
			{ { box({ 64, 64, 64 }, { 0, 0, 0 }) }, "0 map-brush-inverted" },
			{ { plus(plain, plain[6]) }, "0.6 map-face-repeated" },
			{ { plus(plain, { 0, 0, -1, -64 }) }, "0 map-brush-empty", "0.6 map-face-opposite" },
			{ { plus(plain, { 0, 0, 1, 65 }) }, "0.6 map-face-unused" },
			{ { plus(plain, { 0.0005, 0, 1, 64.016 }) }, "0 map-off-grid", "0.6 map-plane-near" },
			{ { plain, box({ 64.03125, 0, 0 }, { 96, 64, 64 }) }, "0.0 map-gap", "1 map-off-grid" },
			{ { plain, box({ 64.03125, 70, 0 }, { 96, 80, 64 }) }, "1 map-off-grid" },
			{ { {} }, "0 map-brush-open" },
		}
		for i, case in ipairs(cases) do
			local brushes = {}
			for k, planes in ipairs(case[1]) do brushes[k] = brush(k, planes) end
			assert.same({ table.unpack(case, 2) }, found(file { brushes = brushes }), "case " .. i)
		end
	end)

	it("says where in the file and where in the level", function()
		local bytes = file { brushes = { brush(1, plain, { owner = 9 }),
			brush(2, plus(box({ 64.03125, 0, 0 }, { 96, 64, 64 }), { 0, 0, 1, 65 }), { owner = 9 }) },
			entities = { entity(8, "light"), entity(9, "func_wall") } }
		assert.equal("BRSH", bytes:sub(BRSH + 1, BRSH + 4))
		local gap, unused
		for _, f in ipairs(levels.check(level(bytes), {})) do
			if f.id == "map-gap" then gap = f end
			if f.id == "map-face-unused" then unused = f end
		end
		-- face 0 of brush 0: behind its head of 20 bytes; face 6 of brush 1: behind six faces each
		assert.equal(FIRST + 20, gap.offset)
		assert.equal(FIRST + 20 + 6 * 44 + 20 + 6 * 44, unused.offset)
		assert.equal("entity 1, brush 0, face 0: a gap of 0.03125 units to face 1 of brush 1",
			gap.message)
		assert.same({ 1, 1, 6 }, { unused.entity, unused.brush, unused.face })
		assert.equal(64, gap.at[1])
		local result = run.mapwright { "lint", "--format=json", level(bytes) }
		assert.matches('"offset": ' .. gap.offset .. ',%s*"entity": 1,%s*"brush": 0,%s*"face": 0,%s*"at"',
			result.out)
		result = run.mapwright { "lint", level(bytes) }
		assert.matches(("x.hmap@0x%x: warning: entity 1, brush 0, face 0: a gap"):format(gap.offset),
			result.out, 1, true)
		assert.equal(0, result.status)
	end)

	it("measures with the file's own metre and grid", function()
		-- a metre of one unit: the wall of 1/1024 is thinner than a twentieth of 1/32
		local thin = brush(1, box({ 0, 0, 0 }, { 2, 2, 1 / 1024 }))
		local bytes = { metre = 1, grid = 0.25, brushes = { thin } }
		assert.same({ "0 map-brush-sliver", "0 map-off-grid" }, found(file(bytes)))
		bytes.brushes = { brush(1, box({ 0, 0, 0 }, { 2, 2, 1 / 32 })) }
		assert.same({}, found(file(bytes)))
		bytes.grid = 0.5 -- an eighth is 1/16
		assert.same({ "0 map-off-grid" }, found(file(bytes)))
	end)

	it("looks at texture scales and tiles", function()
		local bytes = file { tile = { 64, 0 }, brushes = { brush(1, plain, { uv = f32(0, 0, 1, 0, 0) }) },
			meshes = { mesh(2, quad, { { 0, 1, 2, 3 } }, f32(0, 0, 0, 1, 0)) } }
		assert.same({ "- hmap-tile", "0.0 map-scale-zero", "0.1 map-scale-zero", "0.2 map-scale-zero",
			"0.3 map-scale-zero", "0.4 map-scale-zero", "0.5 map-scale-zero", "m0.0 map-scale-zero" },
			found(bytes))
	end)

	it("looks at polygons and vertices of meshes", function()
		local function of(vertices, ...) return file { meshes = { mesh(1, vertices, { ... }) } } end
		-- one corner 1 up: the plane in the middle leaves a quarter of that to each, nearly
		local bent = { { 0, 0, 0 }, { 64, 0, 0 }, { 64, 64, 1 }, { 0, 64, 0 } }
		local path = level(of(bent, { 0, 1, 2, 3 }))
		local f = levels.check(path, {})
		assert.equal(1, #f)
		assert.equal("hmap-polygon-bent", f[1].id)
		local off = tonumber(f[1].message:match "is ([%d.]+) off the plane")
		assert.is_true(math.abs(off - 0.25) < 1e-3)
		assert.same({}, found(of({ { 0, 0, 0 }, { 64, 0, 0 }, { 64, 64, 0.0078125 }, { 0, 64, 0 } },
			{ 0, 1, 2, 3 }), { ["map-off-grid"] = true }))
		assert.same({ "m0.0 hmap-polygon-concave" }, found(of({ { 0, 0, 0 }, { 64, 0, 0 }, { 16, 16, 0 },
			{ 0, 64, 0 } }, { 0, 1, 2, 3 })))
		assert.same({ "m0.1 hmap-polygon-flat" }, found(of({ { 0, 0, 0 }, { 64, 0, 0 }, { 64, 64, 0 },
			{ 32, 0, 0 } }, { 0, 1, 2 }, { 0, 3, 1 })))
		local near = plus(quad, { 64.0078125, 0, 0 }, { 128, 0, 0 }, { 128, 64, 0 })
		assert.same({ "m0 hmap-vertex-near", "m0 map-off-grid" }, found(of(near, { 0, 1, 2, 3 },
			{ 4, 5, 6, 2 })))
		assert.same({ "m0 map-bounds" }, found(of({ { 0, 0, 0 }, { 131080, 0, 0 }, { 0, 64, 0 } },
			{ 0, 1, 2 })))
	end)

	it("names what entities say of nothing, as of a .map", function()
		local bytes = file { entities = {
			entity(1, "trigger_once", { { "target", "door" }, { "target", "gate" }, { "targetname", "me" },
				{ "OnUse", "lamp,On,,0,1" }, { "OnUse", "door,Open,,0,1" } }),
			entity(2, "func_door", { { "targetname", "door" } }),
			entity(3, ""),
		} }
		assert.same({ "e0 map-key-repeated", "e0 map-target-unknown", "e0 map-target-unknown",
			"e0 map-target-unused", "e2 map-classname" }, found(bytes))
	end)

	it("names chunks and ids", function()
		local bytes = file { flags = 3, brushes = { brush(1, plain, { owner = 7 }), brush(1, plain) },
			more = chunk("XTRA", "abc") .. chunk("META", "") }
		-- the header's flags, the two brushes, then the chunks at the end
		assert.same({ "- hmap-flags", "0 hmap-owner", "1 hmap-id-repeated", "- hmap-chunk-unknown",
			"- hmap-chunk-repeated" }, found(bytes))
		local broken = file { brushes = { brush(1, { { 2, 0, 0, 1 } }) } }
		local path = level(broken)
		assert.equal("hmap-chunk", levels.check(path, {})[1].id)
		assert.equal(FIRST + 20, levels.check(path, {})[1].offset)
		assert.equal(1, run.mapwright({ "lint", path }).status)
	end)

	-- ---- what is compiled ---------------------------------------------------------------------

	local function compiled(bytes)
		local path = level(bytes)
		local out = path:gsub("x.hmap$", "y.hmap")
		local result = run.mapwright { "convert", "-q", path, out, "--set", "content=both" }
		assert.equal("", result.status ~= 0 and result.err or "")
		return run.read(out)
	end

	local function cmpl(bytes)
		local at = bytes:find("CMPL", 1, true)
		return bytes:sub(at)
	end

	local function level_of(planes, light)
		return { flags = 3, brushes = { brush(1, planes) },
			meshes = { mesh(2, quad, { { 0, 1, 2, 3 } }) },
			entities = { entity(3, "light", { { "light", light or "300" } }) } }
	end

	it("is content with what was just compiled", function()
		assert.same({}, found(compiled(file(level_of(plain)))))
	end)

	it("names what the source says otherwise", function()
		local old = cmpl(compiled(file(level_of(plain))))
		local function with(change)
			local o = level_of(plain)
			change(o)
			o.more = old
			local out = {}
			for i, f in ipairs(levels.check(level(file(o)), {})) do
				assert.equal("hmap-stale", f.id)
				out[i] = f.message
			end
			return table.concat(out, "\n")
		end
		assert.equal("", with(function() end))
		-- another height: a plane, and the area of the stone: 4 * 64 * 96 + 2 * 64 * 64
		assert.equal("the brush with id 1 is compiled in another shape: it lacks the plane (0 1 0) 96\n"
			.. "material 0 of entity 0 is drawn on an area of 24576, the source has 32768 to 32768",
			with(function(o) o.brushes = { brush(1, box({ 0, 0, 0 }, { 64, 96, 64 })) } end))
		assert.matches("^the brush with id 5 and contents 1 is not compiled\n", with(function(o)
			o.brushes[2] = brush(5, box({ 128, 0, 0 }, { 192, 64, 64 }))
		end))
		assert.matches("a solid with contents 1 of a brush with id 1 is compiled, the source has none",
			with(function(o) o.brushes = {} end))
		assert.equal("1 lights are compiled, the source has 0",
			with(function(o) o.entities = { entity(3, "info_null") } end))
		assert.matches("collision of the mesh with id 2 is compiled in another shape", with(function(o)
			o.meshes = { mesh(2, { { 0, 0, 0 }, { 64, 0, 0 }, { 64, 32, 0 }, { 0, 32, 0 } },
				{ { 0, 1, 2, 3 } }) }
		end))
	end)

	it("names a tree that does not know a brush, or its own depth", function()
		local bytes = compiled(file(level_of(plain)))
		local reader = require "hmap_reader"
		local bsp = reader.read(bytes).compiled.bsp
		assert.equal(1, #bsp.brushes)
		local depth = bsp.depth
		local head = ("<i4I4ffffff"):pack(bsp.root, depth, 0, 0, 0, 64, 64, 64)
		local at = bytes:find(head, 1, true)
		local deeper = bytes:sub(1, at + 3) .. u32(depth + 2) .. bytes:sub(at + 8)
		assert.same({ "- hmap-tree-depth" }, found(deeper))
		-- its leaf is emptied: u32 first, u32 count
		local leaf
		for i, l in ipairs(bsp.leaves) do
			if l.count == 1 then leaf = i - 1 end
		end
		local leaves = at + 32 + 4 + 16 * #bsp.planes + 4 + 12 * #bsp.nodes + 4
		local empty = bytes:sub(1, leaves + 8 * leaf + 3) .. u32(0) .. bytes:sub(leaves + 8 * leaf + 8)
		local f = levels.check(level(empty), {})
		assert.equal("hmap-tree", f[1].id)
		assert.same({ 32, 32, 32 }, f[1].at)
	end)

	-- ---- mending ------------------------------------------------------------------------------

	local function mended(bytes)
		local path = level(bytes)
		local result = run.mapwright { "lint", "--fix", "--write", path }
		return run.read(path), result
	end

	it("mends planes and vertices within a hundredth of a unit, and no further", function()
		local bytes = mended(file { brushes = {
			brush(1, plus(box({ 0, 0, 0 }, { 64, 64.005, 64 }), { 0, 0, 1, 70 })),
			brush(2, box({ 128, 0, 0 }, { 192, 64.02, 64 })) },
			meshes = { mesh(3, { { 0, 0, 0.0078125 }, { 64, 0, 0 }, { 64, 64, 0 }, { 0, 64, 0 } },
				{ { 0, 1, 2, 3 } }) } })
		local want = file {
			brushes = { brush(1, plain), brush(2, box({ 128, 0, 0 }, { 192, 64.02, 64 })) },
			meshes = { mesh(3, quad, { { 0, 1, 2, 3 } }) } }
		assert.equal(want, bytes)
	end)

	it("lays slanted planes anew through their corners", function()
		-- a wedge: 64 long, 32 high and its slope a hair off; the exact normal is (1, 2, 0) / sqrt 5
		local n = { 1 / math.sqrt(5), 2 / math.sqrt(5) }
		local function wedge(d)
			return { { -1, 0, 0, 0 }, { 0, -1, 0, 0 }, { 0, 0, 1, 32 }, { 0, 0, -1, 0 },
				{ n[1], n[2], 0, d } }
		end
		-- through (64, 0) and (0, 32)
		local bytes = mended(file { brushes = { brush(1, wedge(64 * n[1] + 0.002)) } })
		assert.equal(file { brushes = { brush(1, wedge(64 * n[1])) } }, bytes)
	end)

	it("shows a difference first and leaves the file alone", function()
		local path = level(file { brushes = { brush(1, box({ 0, 0, 0 }, { 64, 64.005, 64 })) } })
		local before = run.read(path)
		local result = run.mapwright { "lint", "--fix", path }
		assert.matches("\n%-\t\t{ plane = { 0, 1, 0, 64%.005 }", result.out)
		assert.matches("\n%+\t\t{ plane = { 0, 1, 0, 64 }", result.out)
		assert.equal(before, run.read(path))
	end)

	it("compiles again what is stale", function()
		local o = level_of(box({ 0, 0, 0 }, { 64, 96, 64 }))
		o.more = cmpl(compiled(file(level_of(plain)))) .. chunk("XTRA", "abc")
		local bytes = mended(file(o))
		assert.same({ "- hmap-chunk-unknown" }, found(bytes))
		o.more = nil
		assert.equal(cmpl(compiled(file(o))) .. chunk("XTRA", "abc"), cmpl(bytes))
	end)

	it("finds in a converted level what it finds in the .map", function()
		local corpus = run.shared "corpus/map"
		if not corpus then return pending "no shared corpus here" end
		local function counts(path)
			local out = {}
			for _, f in ipairs(levels.check(path, {})) do
				if f.id ~= "map-axes" and f.id ~= "map-limit" then out[f.id] = (out[f.id] or 0) + 1 end
			end
			return out
		end
		for _, name in ipairs { "lq_lqdm1", "lq_e0m5", "lq_e1m1", "qodot_tb_groups" } do
			local out = run.folder() .. "/x.hmap"
			run.mapwright { "convert", "-q", corpus .. "/" .. name .. ".map", out }
			assert.same(counts(corpus .. "/" .. name .. ".map"), counts(out), name)
		end
	end)
end)
