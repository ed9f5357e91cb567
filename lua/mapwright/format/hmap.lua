--- .hmap files: what `info`, `dump`, `query` and `convert` know of them.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local leak = require "mapwright.format.leak"
local opts = require "mapwright.opts"
local schema = require "mapwright.schema.hmap"
local text = require "mapwright.format.text"

local M = { name = "hmap", title = "Rockgrave level", extensions = { ".hmap" },
	settings = schema.convert }

local QUERY_POINTS = 20000

--- Read a level. Chunks that cannot be read are left out and named in the findings.
---@param path string
---@return userdata hmap, table[] findings
function M.read(path)
	return core.hmap.read(core.fs.read(path), path, false)
end

local function box(v)
	return { min = { v[1], v[2], v[3] }, max = { v[4], v[5], v[6] }, __keys = { "min", "max" } }
end

local function source_bounds(hmap)
	local scene = hmap:scene()
	local n = scene:counts().entities
	local lo, hi
	for owner = 0, n do
		local _, _, _, a, b, c, d, e, f = core.solids.measure(scene:brushes(owner))
		if a then
			lo = lo and { math.min(lo[1], a), math.min(lo[2], b), math.min(lo[3], c) } or { a, b, c }
			hi = hi and { math.max(hi[1], d), math.max(hi[2], e), math.max(hi[3], f) } or { d, e, f }
		end
	end
	return lo and { min = lo, max = hi, __keys = { "min", "max" } } or nil
end

-- Volume of the world's brushes: overlaps count once.
local function volume(hmap)
	return (core.solids.measure(hmap:scene():brushes(0)))
end

local keys = { "kind", "bytes", "version", "flags", "name", "chunks", "content", "units_per_metre",
	"grid", "ambient", "materials", "brushes", "faces", "volume", "meshes", "polygons", "entities",
	"compiled", "baked", "batches", "vertices", "triangles", "models", "bsp_depth", "bsp_nodes",
	"bsp_leaves", "bsp_planes", "mean_brushes_per_query", "most_brushes_per_query", "lights",
	"bounds" }

--- What a level holds. The compiled chunk's numbers are absent without one.
---@param bytes string
---@param label string words for messages
---@return table info, table[] findings
function M.info_of(bytes, label)
	local hmap, findings = core.hmap.read(bytes, label, false)
	local head = hmap:info()
	local info = { kind = "hmap", chunks = {} }
	local function done()
		info.__keys = {}
		for _, key in ipairs(keys) do
			if info[key] ~= nil then table.insert(info.__keys, key) end
		end
		return info, findings
	end
	for _, name in ipairs { "bytes", "version", "flags", "name", "units_per_metre", "grid",
		"ambient", "materials", "brushes", "faces", "meshes", "polygons", "entities", "compiled" } do
		info[name] = head[name]
	end
	for i, chunk in ipairs(hmap:chunks()) do info.chunks[i] = chunk.tag end
	info.content = head.compiled and (head.has_source and "both" or "compiled") or "source"
	if head.brushes > 0 then info.volume = volume(hmap) end
	if not head.compiled then
		info.lights = #hmap:entity_lights()
		info.bounds = source_bounds(hmap)
		return done()
	end
	local level = hmap:level()
	info.baked = level.baked == 1
	info.batches, info.vertices, info.triangles = level.batches, level.vertices, level.triangles
	info.models, info.lights = level.models, level.lights
	info.bsp_depth, info.bsp_nodes = level.depth, level.nodes
	info.bsp_leaves, info.bsp_planes = level.leaves, level.planes
	info.mean_brushes_per_query, info.most_brushes_per_query = hmap:query():cost(QUERY_POINTS)
	info.bounds = box(level.bounds)
	return done()
end

--- The same of a file.
function M.info(path)
	return M.info_of(core.fs.read(path), path)
end

-- ---- dump -----------------------------------------------------------------------------------

local function floats(list)
	local out = {}
	for i, v in ipairs(list) do out[i] = text.float(v) end
	return "{ " .. table.concat(out, ", ") .. " }"
end

local function whole(list)
	local out = {}
	for i, v in ipairs(list) do out[i] = ("%d"):format(v) end
	return "{ " .. table.concat(out, ", ") .. " }"
end

--- Materials, brushes, meshes and entities as text.
---@param hmap userdata
---@param write fun(text: string)
function M.dump_source(hmap, write)
	local head = hmap:info()
	for i, m in ipairs(hmap:materials()) do
		write(("\tmaterial { -- %d\n\t\tname = %s, texture = %s, tile = %s, color = %s, "
			.. "flags = %d,\n\t},\n"):format(i - 1, text.quote(m.name), text.quote(m.texture),
				floats(m.tile), floats(m.color), m.flags))
	end
	for i = 1, head.brushes do
		local b = hmap:brush(i)
		write(("\tbrush { id = %d, owner = %d, contents = %d, flags = %d,\n"):format(b.id, b.owner,
			b.contents, b.flags))
		for _, f in ipairs(b.faces) do
			write(("\t\t{ plane = %s, material = %d, uv = %s, flags = %d },\n"):format(
				floats(f.plane), f.material, floats(f.uv), f.flags))
		end
		write "\t},\n"
	end
	for i = 1, head.meshes do
		local m = hmap:mesh(i)
		write(("\tmesh { id = %d, owner = %d, flags = %d, name = %s,\n"):format(m.id, m.owner,
			m.flags, text.quote(m.name)))
		for _, v in ipairs(m.vertices) do write(("\t\tvertex %s,\n"):format(floats(v))) end
		for _, p in ipairs(m.polys) do
			write(("\t\tpoly { material = %d, smooth = %d, uv = %s, indices = %s%s },\n"):format(
				p.material, p.smooth, floats(p.uv), whole(p.indices),
				p.uvs and ", uvs = " .. floats(p.uvs) or ""))
		end
		write "\t},\n"
	end
	for _, e in ipairs(hmap:entities()) do
		write(("\tentity { id = %d, flags = %d, classname = %s,\n"):format(e.id, e.flags,
			text.quote(e.classname)))
		write(("\t\torigin = %s, angles = %s, scale = %s,\n"):format(floats(e.origin),
			floats(e.angles), floats(e.scale)))
		for _, pair in ipairs(e.keys) do
			write(("\t\t{ %s, %s },\n"):format(text.quote(pair[1]), text.quote(pair[2])))
		end
		write "\t},\n"
	end
end

local function dump_solids(hmap, count, write)
	for i = 0, count - 1 do
		local s = hmap:solid(i)
		write(("\t\tsolid { contents = %d, source = %d, bounds = %s,\n"):format(s.contents,
			s.source, floats(s.bounds)))
		for _, p in ipairs(s.planes) do write(("\t\t\t%s,\n"):format(floats(p))) end
		write "\t\t},\n"
	end
end

local function dump_level(hmap, write)
	local level = hmap:level()
	write(("\tcompiled {\n\t\tambient = %s, units_per_metre = %s, baked = %d, bounds = %s,\n"):format(
		floats(level.ambient), text.float(level.units_per_metre), level.baked,
		floats(level.bounds)))
	for i = 1, level.batches do
		local b = hmap:batch(i)
		write(("\t\tbatch { material = %d, source = %d, model = %d,\n"):format(b.material, b.source,
			b.model))
		for _, v in ipairs(b.vertices) do
			local color = table.remove(v)
			write(("\t\t\t%s, -- #%08x\n"):format(floats(v), color))
		end
		write(("\t\t\tindices = %s,\n\t\t},\n"):format(whole(b.indices)))
	end
	for _, m in ipairs(hmap:models()) do
		write(("\t\tmodel { entity = %d, bounds = %s, solids = %d },\n"):format(m.entity,
			floats(m.bounds), m.solids))
	end
	write(("\t\ttree { root = %d, depth = %d, bounds = %s,\n"):format(level.root, level.depth,
		floats(level.tree_bounds)))
	for i = 0, level.nodes - 1 do
		local plane, front, back = hmap:node(i)
		write(("\t\t\tnode { plane = %s, front = %d, back = %d }, -- %d\n"):format(floats(plane),
			front, back, i))
	end
	for i = 0, level.leaves - 1 do
		write(("\t\t\tleaf %s, -- %d\n"):format(whole(hmap:leaf(i)), ~i))
	end
	write "\t\t},\n"
	dump_solids(hmap, level.solids, write)
	for _, h in ipairs(hmap:hulls()) do
		write(("\t\tmesh_collision { object = %d, bounds = %s, points = %s },\n"):format(h.object,
			floats(h.bounds), floats(h.points)))
	end
	for _, l in ipairs(hmap:lights()) do
		write(("\t\tlight { kind = %s, pos = %s, dir = %s, color = %s,\n\t\t\tintensity = %s, "
			.. "radius = %s, inner = %s, outer = %s, entity = %d },\n"):format(text.quote(l.kind),
			floats(l.pos), floats(l.dir), floats(l.color), text.float(l.intensity),
			text.float(l.radius), text.float(l.inner), text.float(l.outer), l.entity))
	end
	write "\t},\n"
end

--- The whole file as text.
---@param path string
---@param write fun(text: string)
---@return table[] findings
function M.dump(path, write)
	local hmap, findings = M.read(path)
	local head = hmap:info()
	write(("hmap {\n\tversion = %d,\n\tflags = %d,\n"):format(head.version, head.flags))
	for _, c in ipairs(hmap:chunks()) do
		write(("\tchunk { %s%s },\n"):format(text.quote(c.tag),
			c.bytes and ", bytes = " .. text.quote(c.bytes) or ""))
	end
	write(("\tname = %s,\n\tambient = %s,\n\tgrid = %s,\n\tunits_per_metre = %s,\n\tnext_id = %d,\n")
		:format(text.quote(head.name), floats(head.ambient), text.float(head.grid),
			text.float(head.units_per_metre), head.next_id))
	M.dump_source(hmap, write)
	if head.compiled then dump_level(hmap, write) end
	for _, f in ipairs(findings) do
		write(("\tfinding = { %s, %s },\n"):format(text.quote(f.rule), text.quote(f.message)))
	end
	write "}\n"
	return findings
end

-- ---- compiling and converting ---------------------------------------------------------------

--- Compile a core hmap as options say and leave in it what `content` says. Notes are told through
--- `warn(id, text)`.
function M.finish(hmap, o, warn)
	if o.content == "source" then
		hmap:set_content "source"
		return
	end
	local stage = core.log.begin "bsp"
	local notes = hmap:compile { bevels = o.bevels, keep_hidden = o.keep_hidden,
		skip_sky = o.skip_sky, bake = o.bake_light, light_grid = o.light_grid,
		leaf_size = o.leaf_size, max_depth = o.max_depth }
	stage:done(hmap:level().solids, 0)
	for _, kind in ipairs { "open", "empty" } do
		local n = notes[kind]
		if n > 0 then
			local first = hmap:brush(notes["first_" .. kind] + 1)
			warn("brush-" .. kind, ("%d brush%s not compiled: %s (the first has id %d)"):format(n,
				n == 1 and " is" or "es are", kind == "open" and "the planes do not close"
				or "the planes leave no inside", first.id))
		end
	end
	if notes.bad_polys > 0 then
		warn("mesh-polygon", ("%d polygon%s of meshes %s not flat or not convex"):format(
			notes.bad_polys, notes.bad_polys == 1 and "" or "s",
			notes.bad_polys == 1 and "is" or "are"))
	end
	hmap:set_content(o.content)
end

local function log_warning(id, message) core.log.put("warning", id, message) end

--- The level as a scene. Raises what is wrong with the file.
---@param path string
---@return userdata scene, userdata hmap
function M.load(path)
	local hmap = core.hmap.read(core.fs.read(path), path, true)
	return hmap:scene(), hmap
end

--- A scene as the bytes of a file, and what was lost.
---@param scene userdata
---@param settings table as schema.hmap.convert, checked
---@return string bytes, table[] losses
function M.save(scene, settings)
	local hmap <close>, losses = core.hmap.from_scene(scene)
	-- What nobody has any more, such as the scene of a conversion, goes before the compile.
	scene = nil -- luacheck: ignore 311
	collectgarbage()
	M.finish(hmap, settings, log_warning)
	return hmap:write(), losses
end

-- Whether settings ask for more than another choice of the chunks that there are.
local function asks_to_compile(given)
	for name in next, given do
		if name ~= "content" then return name end
	end
end

--- From .hmap to .hmap: unknown chunks stay, and without settings so does every byte. What is
--- compiled stays as it is, unless a setting of the compiler is given; then it is baked again if it
--- was, and nothing else is said.
---@param given table<string, any> the settings that were named
function M.convert(path, settings, given)
	local hmap = core.hmap.read(core.fs.read(path), path, true)
	local head, asked = hmap:info(), asks_to_compile(given)
	if asked and not head.has_source then
		errors.raise("invalid", "%s: %s asks to compile again, but there is no source in the file",
			path, asked)
	end
	if not given.content then settings.content = head.has_source and "both" or "compiled" end
	if settings.content ~= "source" and (asked or given.content and not head.compiled) then
		if given.bake_light == nil then
			settings.bake_light = head.compiled and hmap:level().baked == 1
		end
		M.finish(hmap, settings, log_warning)
	elseif next(given) then
		hmap:set_content(settings.content)
	end
	return hmap:write(), {}
end

--- What `query` asks: the compiled chunk, or one that is made now.
---@return userdata query, fun(solid: integer): table
function M.query(path)
	local hmap = core.hmap.read(core.fs.read(path), path, true)
	if not hmap:info().compiled then hmap:compile {} end
	return hmap:query(), function(solid) return hmap:solid(solid) end
end

--- The same of a scene that another room read.
function M.query_scene(scene)
	local hmap = core.hmap.from_scene(scene)
	hmap:compile {}
	return hmap:query(), function(solid) return hmap:solid(solid) end
end

--- What `query leak` asks; in the file's space.
---@param gap number narrower gaps between brushes count as closed
---@return table answer as level_leak.find
function M.leak(path, gap)
	local hmap = core.hmap.read(core.fs.read(path), path, true)
	if not hmap:info().has_source then
		errors.raise("invalid", "%s: no source in the file: only its brushes can tell what is closed",
			path)
	end
	return leak.find(hmap:scene(), gap)
end

--- Settings of the command line, checked.
function M.check(given)
	return opts.check(schema.convert, given)
end

return M
