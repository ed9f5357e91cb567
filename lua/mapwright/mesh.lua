--- Meshes: polygons over shared vertices, for what brushes do badly. A value, as brushes are.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local opts = require "mapwright.opts"
local schema = require "mapwright.schema.scene"

local M = {}

---@class mapwright.mesh
---@field vertices number[][] {x, y, z} each
---@field faces table[] vertex numbers with material, smooth, uv
local Mesh = { __name = "mapwright.mesh" }
require "mapwright.util.classes".mesh = Mesh

function Mesh.__index(_, name)
	local method = Mesh[name]
	if method ~= nil then return method end
	errors.fail("mesh: no field or method '%s'%s", tostring(name),
		require "mapwright.util.suggest" (name, Mesh))
end

function Mesh.__newindex(_, name)
	errors.fail("mesh: no field '%s' to set", tostring(name))
end

local face_rows = {
	name = "mesh: face", positional = true,
	{ name = "material", type = "material", doc = "The mesh's when absent." },
	{ name = "smooth", type = "integer", default = 0, min = 0, max = 4294967295,
		doc = "Smoothing group; 0: flat." },
	{ name = "uv", type = "list", of = "pair", doc = "Texture coordinates, one a corner." },
}

local function check_face(face, i, vertices)
	local o = opts.check(face_rows, face, ("mesh: face %d"):format(i))
	if #face < 3 then errors.fail("mesh: face %d has %d corners", i, #face) end
	for k, v in ipairs(face) do
		if not math.tointeger(v) or v < 1 or v > vertices then
			errors.fail("mesh: face %d: corner %d is %s, there are %d vertices", i, k, opts.show(v),
				vertices)
		end
	end
	if o.uv and #o.uv ~= #face then
		errors.fail("mesh: face %d: %d texture coordinates for %d corners", i, #o.uv, #face)
	end
	return o
end

local function new(o) return setmetatable(o, Mesh) end

--- A new mesh.
---@return mapwright.mesh
function M.mesh(given)
	local o = opts.check(schema.mesh, given)
	local scene = o.material and o.material.scene or false
	for i, face in ipairs(o.faces) do
		local f = check_face(face, i, #o.vertices)
		f.material = f.material or o.material
		if f.material then
			if scene and f.material.scene ~= scene then
				errors.fail("mesh: face %d has a material of another scene", i)
			end
			scene = f.material.scene
		end
		o.faces[i] = f
	end
	return new { name = o.name, vertices = o.vertices, faces = o.faces, collides = o.collides,
		scene = scene }
end

-- With every vertex mapped; turned inside out where that is asked for.
local function mapped(mesh, fn, mirrored)
	local out = { name = mesh.name, vertices = {}, faces = mesh.faces, collides = mesh.collides,
		scene = rawget(mesh, "scene") }
	for i, v in ipairs(mesh.vertices) do out.vertices[i] = fn(v) end
	if mirrored then
		out.faces = {}
		for i, face in ipairs(mesh.faces) do
			local f, n = { material = face.material, smooth = face.smooth }, #face
			f.uv = face.uv and {} or nil
			for k = 1, n do
				f[k] = face[n + 1 - k]
				if f.uv then f.uv[k] = face.uv[n + 1 - k] end
			end
			out.faces[i] = f
		end
	end
	return new(out)
end

--- Moved by {x, y, z}.
---@param by number[]
function Mesh:move(by)
	local d = opts.value({ type = "triple" }, by, "move")
	return mapped(self, function(v) return { v[1] + d[1], v[2] + d[2], v[3] + d[3] } end)
end

--- Turned: R = Ry(yaw) Rx(pitch) Rz(roll).
function Mesh:turn(given)
	local o = opts.check(require "mapwright.schema.brush".turn, given)
	local m, c = { core.solids.turn(o.pitch, o.yaw, o.roll) }, o.about
	return mapped(self, function(v)
		local x, y, z = v[1] - c[1], v[2] - c[2], v[3] - c[3]
		return { m[1] * x + m[2] * y + m[3] * z + c[1], m[4] * x + m[5] * y + m[6] * z + c[2],
			m[7] * x + m[8] * y + m[9] * z + c[3] }
	end)
end

--- Stretched by a number or {x, y, z} about the origin.
---@param by number|number[]
function Mesh:scale(by)
	local s = opts.value({ type = { "number", "triple" } }, by, "scale")
	if type(s) == "number" then s = { s, s, s } end
	return mapped(self, function(v) return { v[1] * s[1], v[2] * s[2], v[3] * s[3] } end,
		s[1] * s[2] * s[3] < 0)
end

--- What core.scene takes: flat vertices, polygons.
function M.flat(self)
	local vertices, polys = {}, {}
	for _, v in ipairs(self.vertices) do
		for i = 1, 3 do vertices[#vertices + 1] = v[i] end
	end
	for i, face in ipairs(self.faces) do
		local uv
		if face.uv then
			uv = {}
			for _, p in ipairs(face.uv) do
				uv[#uv + 1] = p[1]
				uv[#uv + 1] = p[2]
			end
		end
		polys[i] = { face.material and face.material.index or -1, face.smooth, uv = uv,
			indices = table.move(face, 1, #face, 1, {}) }
	end
	return vertices, polys
end

require "mapwright.util.guard" (Mesh, "mapwright.mesh")

return M
