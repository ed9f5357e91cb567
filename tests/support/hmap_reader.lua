-- A strict reader of .hmap files, version 1, written from the format document alone, so that it can
-- judge a writer it shares nothing with. Section names in comments are those of the document.
--
-- Lists of a model are Lua arrays (first item at 1); links between items keep the numbers of the
-- file, which start at 0: a batch belongs to compiled.models[batch.model + 1].
local judge = require "hmap_judge"

local M = {}

-- Bits of "contents", under the table of chunks.
M.SOLID, M.WATER, M.CLIP, M.TRIGGER, M.SKY = 1, 2, 4, 8, 16

-- ---- cursor ----------------------------------------------------------------------------------

local Cursor = {}
Cursor.__index = Cursor

-- The path is kept as a stack and only put together for a message: a map has a million vertices.
local function path_text(path)
	local out = {}
	for i = 1, #path do
		local step = path[i]
		if type(step) == "number" then
			out[#out + 1] = ("[%d]"):format(step)
		else
			out[#out + 1] = (i > 1 and "." or "") .. step
		end
	end
	return table.concat(out)
end

function Cursor:fail(text, ...)
	local where = #self.path > 0 and path_text(self.path) .. ", " or ""
	error(("hmap: %sbyte %d: %s"):format(where, self.pos - 1, text:format(...)), 0)
end

-- What can be read and yet breaks the document is collected, for check() to report.
function Cursor:flaw(name, text, ...)
	self:push(name)
	self.flaws[#self.flaws + 1] = { level = "error", where = path_text(self.path),
		text = text:format(...) }
	self:pop()
end

function Cursor:push(step) self.path[#self.path + 1] = step end

function Cursor:pop() self.path[#self.path] = nil end

function Cursor:left() return self.stop - self.pos + 1 end

function Cursor:need(size, name)
	if size > self:left() then
		self:push(name)
		self:fail("%d bytes expected, %d left", size, self:left())
	end
end

-- "Primitive types" have no padding between them: string.unpack aligns only where "!" asks for it.
local function fixed(format)
	local size = string.packsize(format)
	return function(self, name)
		self:need(size, name)
		local at = self.pos
		self.pos = at + size
		return (format:unpack(self.bytes, at))
	end
end

Cursor.u8 = fixed "<I1"
Cursor.u32 = fixed "<I4"
Cursor.i32 = fixed "<i4"

function Cursor:floats(name, n)
	self:need(4 * n, name)
	local list = { ("<" .. ("f"):rep(n)):unpack(self.bytes, self.pos) }
	list[n + 1] = nil -- unpack ends with the next position
	self.pos = self.pos + 4 * n
	local sum = 0
	for i = 1, n do sum = sum + (list[i] - list[i]) end
	if sum ~= 0 then self:flaw(name, "not finite: %s", table.concat(list, " ")) end
	return list
end

function Cursor:f32(name) return self:floats(name, 1)[1] end

function Cursor:vec2(name) return self:floats(name, 2) end

function Cursor:vec3(name) return self:floats(name, 3) end

function Cursor:plane(name)
	local f = self:floats(name, 4)
	return { n = { f[1], f[2], f[3] }, d = f[4] }
end

function Cursor:aabb(name)
	local f = self:floats(name, 6)
	return { min = { f[1], f[2], f[3] }, max = { f[4], f[5], f[6] } }
end

function Cursor:uv(name)
	local f = self:floats(name, 5)
	return { offset = { f[1], f[2] }, scale = { f[3], f[4] }, rotation = f[5] }
end

function Cursor:str(name)
	local n = self:u32(name)
	self:need(n, name)
	local s = self.bytes:sub(self.pos, self.pos + n - 1)
	self.pos = self.pos + n
	if not utf8.len(s) then self:flaw(name, "not UTF-8: %q", s) end
	if s:find("\0", 1, true) then self:flaw(name, "NUL in a string: %q", s) end
	return s
end

-- A count and its items. item_size is the least an item can take, so that a wrong count is refused
-- before anything is made for it.
function Cursor:list(name, item_size, item)
	local n = self:u32(name)
	self:push(name)
	if n > self:left() // item_size then
		self:fail("%d items of at least %d bytes expected, %d bytes left", n, item_size, self:left())
	end
	local out = {}
	for i = 1, n do
		self:push(i - 1)
		out[i] = item(self, i)
		self:pop()
	end
	self:pop()
	return out
end

local function u32_item(c) return c:u32("u32") end

local function vec2_item(c) return c:vec2("vec2") end

local function vec3_item(c) return c:vec3("vec3") end

local function plane_item(c) return c:plane("plane") end

-- Fields of a constructor are read in the order they stand in, which is that of the file.

-- ---- source chunks, the table "Tag | Content" ------------------------------------------------

local chunk = {}

function chunk.META(c)
	return {
		name = c:str "name",
		ambient = c:vec3 "ambient",
		grid_size = c:f32 "gridSize",
		units_per_meter = c:f32 "unitsPerMeter",
		next_id = c:u32 "nextId",
	}
end

function chunk.MATS(c)
	return c:list("materials", 32, function()
		return {
			name = c:str "name",
			texture = c:str "texture",
			tile_size = c:vec2 "tileSize",
			color = c:vec3 "color",
			flags = c:u32 "flags",
		}
	end)
end

local function face(c)
	return {
		plane = c:plane "plane",
		material = c:i32 "material",
		uv = c:uv "uv",
		flags = c:u32 "flags",
	}
end

function chunk.BRSH(c)
	return c:list("brushes", 20, function()
		return {
			id = c:u32 "id",
			owner = c:u32 "owner",
			contents = c:u32 "contents",
			flags = c:u32 "flags",
			faces = c:list("faces", 44, face),
		}
	end)
end

local function polygon(c)
	return {
		material = c:i32 "material",
		smooth = c:u32 "smooth",
		proj = c:uv "proj",
		indices = c:list("indices", 4, u32_item),
		uvs = c:list("uvs", 8, vec2_item),
	}
end

function chunk.MESH(c)
	return c:list("meshes", 24, function()
		return {
			id = c:u32 "id",
			owner = c:u32 "owner",
			flags = c:u32 "flags",
			name = c:str "name",
			vertices = c:list("vertices", 12, vec3_item),
			polygons = c:list("polygons", 36, polygon),
		}
	end)
end

local function key_value(c) return { c:str "key", c:str "value" } end

function chunk.ENTS(c)
	return c:list("entities", 52, function()
		return {
			id = c:u32 "id",
			flags = c:u32 "flags",
			classname = c:str "classname",
			origin = c:vec3 "origin",
			angles = c:vec3 "angles",
			scale = c:vec3 "scale",
			kv = c:list("kv", 8, key_value), -- in order, a key may come twice
		}
	end)
end

-- ---- "CMPL (compiled)" -----------------------------------------------------------------------

local function collision_brush(c)
	return {
		contents = c:u32 "contents",
		source_id = c:u32 "sourceId",
		aabb = c:aabb "aabb",
		planes = c:list("planes", 16, plane_item),
	}
end

local function batch(c)
	local b = {
		material = c:i32 "material",
		source = c:u8 "source", -- 0 brush/BSP, 1 mesh
		model = c:i32 "model",
		pos = {}, normal = {}, uv = {}, color = {},
	}
	c:list("vertices", 36, function(_, i)
		b.pos[i] = c:vec3 "pos"
		b.normal[i] = c:vec3 "normal"
		b.uv[i] = c:vec2 "uv"
		b.color[i] = c:u32 "colorRGBA"
	end)
	b.indices = c:list("indices", 4, u32_item)
	return b
end

local function collision_model(c)
	return {
		entity_id = c:u32 "entityId",
		aabb = c:aabb "aabb",
		brushes = c:list("brushes", 36, collision_brush),
	}
end

local function node(c)
	return { plane = c:i32 "plane", front = c:i32 "front", back = c:i32 "back" }
end

local function leaf(c) return { first = c:u32 "firstBrush", count = c:u32 "brushCount" } end

local function mesh_collision(c)
	return {
		object_id = c:u32 "objectId",
		aabb = c:aabb "aabb",
		vertices = c:list("vertices", 12, vec3_item), -- three a triangle
	}
end

local function light(c)
	return {
		type = c:u8 "type", -- 0 point, 1 spot, 2 sun
		pos = c:vec3 "pos",
		dir = c:vec3 "dir",
		color = c:vec3 "color",
		intensity = c:f32 "intensity",
		radius = c:f32 "radius",
		inner = c:f32 "innerDeg",
		outer = c:f32 "outerDeg",
		entity_id = c:u32 "entityId",
	}
end

function chunk.CMPL(c)
	local m = {
		ambient = c:vec3 "ambient",
		units_per_meter = c:f32 "unitsPerMeter",
		baked = c:u8 "baked",
		bounds = c:aabb "bounds",
		batches = c:list("batches", 17, batch),
		models = c:list("models", 32, collision_model),
	}
	c:push "bsp"
	m.bsp = {
		root = c:i32 "root",
		depth = c:u32 "depth",
		aabb = c:aabb "aabb",
		planes = c:list("planes", 16, plane_item),
		nodes = c:list("nodes", 12, node),
		leaves = c:list("leaves", 8, leaf),
		leaf_brushes = c:list("leafBrushes", 4, u32_item),
		brushes = c:list("brushes", 36, collision_brush),
	}
	c:pop()
	m.mesh_collisions = c:list("meshColl", 32, mesh_collision)
	m.lights = c:list("lights", 57, light)
	return m
end

-- ---- the file --------------------------------------------------------------------------------

local field = {
	META = "meta", MATS = "materials", BRSH = "brushes", MESH = "meshes", ENTS = "entities",
	CMPL = "compiled",
}

--- Decode a file; anything the document does not allow to be there raises a message that begins
--- with "hmap:" and names the field and its byte. A field of the model is nil without its chunk:
--- version, flags, meta, materials, brushes, meshes, entities, compiled; chunks = every chunk in
--- order as {tag, at, size}, unknown = those not of version 1 as {tag, bytes}, flaws = problems
--- that did not stop the reading (check() repeats them).
function M.read(bytes)
	local c = setmetatable({ bytes = bytes, pos = 1, stop = #bytes, path = {}, flaws = {} }, Cursor)
	c:need(12, "header")
	if bytes:sub(1, 4) ~= "HMAP" then c:fail('"HMAP" expected, %q found', bytes:sub(1, 4)) end
	c.pos = 5
	local model = { version = c:u32 "version", chunks = {}, unknown = {}, flaws = c.flaws }
	if model.version ~= 1 then
		c.pos = 5
		c:fail("version 1 expected, %d found", model.version)
	end
	model.flags = c:u32 "flags"
	while c.pos <= #bytes do
		c.stop = #bytes
		c:need(8, "chunk header")
		local at, tag = c.pos - 1, bytes:sub(c.pos, c.pos + 3)
		c.pos = c.pos + 4
		local size = c:u32 "payloadSize"
		c:need(size, ("chunk %q"):format(tag))
		model.chunks[#model.chunks + 1] = { tag = tag, at = at, size = size }
		local start, stop = c.pos, c.pos + size - 1
		c.stop = stop
		local name = field[tag]
		if not name then
			model.unknown[#model.unknown + 1] = { tag = tag, bytes = bytes:sub(start, stop) }
		elseif model[name] then
			-- The document is silent on a second chunk of a tag; to keep the first is a choice.
			c:flaw(tag, "a second chunk at byte %d, only the first is read", at)
		else
			c:push(tag)
			model[name] = chunk[tag](c)
			if c:left() > 0 then c:fail("%d bytes left over in the chunk", c:left()) end
			c:pop()
		end
		c.pos = stop + 1
	end
	return model
end

--- The four bytes of a vertex colour: "little-endian RGBA bytes (0xAABBGGRR)".
function M.rgba(color)
	return color & 255, color >> 8 & 255, color >> 16 & 255, color >> 24
end

for name, value in pairs(judge) do M[name] = value end

return M
