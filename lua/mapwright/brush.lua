--- Brushes: lists of convex solids bounded by planes. A value: methods return new ones and leave
--- the old. Cutting and joining are exact. Our space has Y up, X east, Z south.
local contents = require "mapwright.contents"
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local opts = require "mapwright.opts"
local schema = require "mapwright.schema.brush"

local solids = core.solids

---@class mapwright.brushes
---@field count integer how many brushes there are
local Brushes = { __name = "mapwright.brushes" }
require "mapwright.util.classes".brushes = Brushes

local M = { methods = Brushes }

local function new(raw, scene)
	return setmetatable({ raw = raw, scene = scene or false }, Brushes)
end
M.new = new

function Brushes.__index(b, name)
	local method = Brushes[name]
	if method ~= nil then return method end
	if name == "count" then return (solids.count(rawget(b, "raw"))) end
	errors.fail("brushes: no field or method '%s'%s", tostring(name),
		require "mapwright.util.suggest" (name, Brushes))
end

function Brushes.__newindex(_, name)
	errors.fail("brushes: no field '%s' to set", tostring(name))
end

function Brushes.__tostring(b)
	return ("brushes (%d)"):format(b.count)
end

-- The scene whose materials both use; an error when they differ.
local function one_scene(a, b, what)
	if a.scene and b.scene and a.scene ~= b.scene then
		errors.fail("%s: the brushes have materials of two scenes", what)
	end
	return a.scene or b.scene
end

local brushes_row = { type = "brushes" }

-- Brushes, or a list of them put together.
local function operand(v, what)
	if type(v) == "table" and getmetatable(v) == nil then
		local all = M.empty()
		for _, one in ipairs(v) do all = all:join(opts.value(brushes_row, one, what)) end
		return all
	end
	if v == nil then
		errors.fail("%s: with what? nothing was given, or it was called with '.' instead of ':'", what)
	end
	return opts.value(brushes_row, v, what)
end
M.operand = operand

--- No brushes.
function M.empty()
	return new(solids.boolean("intersect", solids.planes {}, solids.planes {}), nil)
end

-- What every shape's options share.
local function finish(raw, o)
	local bits = o.contents == "none" and 0 or contents[o.contents]
	if bits ~= contents.solid then solids.contents(raw, bits) end
	local b = new(raw, nil)
	if o.material then b = b:material(o.material) end
	return b
end

local function corners(o, what)
	for i, axis in ipairs { "x", "y", "z" } do
		if o.min[i] >= o.max[i] then
			errors.fail("%s: 'max' must lie beyond 'min' along %s (%s and %s)", what, axis,
				opts.show(o.min[i]), opts.show(o.max[i]))
		end
	end
	return o.min[1], o.min[2], o.min[3], o.max[1], o.max[2], o.max[3]
end

-- Failures of the core at the user's line, with the shape's name.
local function make(what, fn, ...)
	local results = table.pack(pcall(fn, ...))
	if not results[1] then
		local text, at = results[2], errors.where() .. ": "
		if type(text) == "table" then text = text.message end
		if text:sub(1, #at) == at then text = text:sub(#at + 1) end
		errors.fail("%s: %s", what, text)
	end
	return table.unpack(results, 2, results.n)
end

-- ---- shapes ---------------------------------------------------------------------------------

--- A box.
---@return mapwright.brushes
function M.box(given)
	local o = opts.check(schema.box, given)
	return finish(make("box", solids.shape, "box", corners(o, "box")), o)
end

-- args after the corners
local function with_corners(kind, o, ...)
	local a, b, c, d, e, f = corners(o, kind)
	return make(kind, solids.shape, kind, a, b, c, d, e, f, ...)
end

--- A ramp: the lower half of a box, highest at one side.
function M.wedge(given)
	local o = opts.check(schema.wedge, given)
	return finish(with_corners("wedge", o, o.high), o)
end

--- Six walls about the space from min to max; rooms that meet can share a wall.
function M.room(given)
	local o = opts.check(schema.room, given)
	corners(o, "room")
	for i = 1, 3 do o.min[i], o.max[i] = o.min[i] - o.wall, o.max[i] + o.wall end
	return finish(with_corners("room", o, o.wall), o)
end

--- A polygon raised along Y; concave ones become several brushes.
function M.prism(given)
	local o, flat = opts.check(schema.prism, given), {}
	for _, p in ipairs(o.points) do
		flat[#flat + 1] = p.x
		flat[#flat + 1] = p.z
	end
	return finish(make("prism", solids.prism, flat, o.bottom, o.top), o)
end

-- min and max from at, radius and height where those are given
local function round_box(o, what, centred)
	if o.at then
		if o.min or o.max then errors.fail("%s: give 'at' or 'min' and 'max', not both", what) end
		local r, h = o.radius, o.height
		if not r then errors.fail("%s: 'radius' is required with 'at'", what) end
		if not centred and not h then errors.fail("%s: 'height' is required with 'at'", what) end
		local low = centred and o.at[2] - r or o.at[2]
		o.min = { o.at[1] - r, low, o.at[3] - r }
		o.max = { o.at[1] + r, centred and o.at[2] + r or low + h, o.at[3] + r }
	elseif not o.min or not o.max then
		errors.fail("%s: 'min' and 'max' are required, or 'at'", what)
	end
end

--- An upright cylinder, or a stump of a cone.
function M.cylinder(given)
	local o = opts.check(schema.cylinder, given)
	round_box(o, "cylinder")
	return finish(with_corners("cylinder", o, o.sides, o.top), o)
end

--- An upright cone.
function M.cone(given)
	local o = opts.check(schema.cone, given)
	round_box(o, "cone")
	return finish(with_corners("cylinder", o, o.sides, 0), o)
end

--- A ball, or an ellipsoid that fills a box.
function M.sphere(given)
	local o = opts.check(schema.sphere, given)
	round_box(o, "sphere", true)
	return finish(with_corners("sphere", o, o.sides, o.rings), o)
end

--- A bent bar in the X-Y plane: part of the ellipse that fills min to max.
function M.arch(given)
	local o = opts.check(schema.arch, given)
	return finish(with_corners("arch", o, o.thickness, o.start, o.sweep, o.segments), o)
end

--- A ring about Y.
function M.torus(given)
	local o = opts.check(schema.torus, given)
	return finish(make("torus", solids.shape, "torus", o.at[1], o.at[2], o.at[3], o.radius,
		o.tube, 0, o.segments, o.sides), o)
end

--- Steps from a corner along a run.
function M.stairs(given)
	local o = opts.check(schema.stairs, given)
	local x, y, z = o.at[1], o.at[2], o.at[3]
	local dx, dy, dz = o.run[1], o.run[2], o.run[3]
	if dy ~= 0 or (dx == 0) == (dz == 0) then
		errors.fail("stairs: 'run' must go along x or along z, for example {3, 0, 0}")
	end
	local facing = dx > 0 and "east" or dx < 0 and "west" or dz > 0 and "south" or "north"
	-- the right hand of who walks up
	local wx, wz = dz < 0 and o.width or dz > 0 and -o.width or 0,
		dx > 0 and o.width or dx < 0 and -o.width or 0
	o.min = { math.min(x, x + dx + wx), y, math.min(z, z + dz + wz) }
	o.max = { math.max(x, x + dx + wx), y + o.rise, math.max(z, z + dz + wz) }
	return finish(with_corners("stairs", o, facing, o.steps, o.solid), o)
end

--- The convex hull of points, one brush.
function M.hull(given)
	local o, flat = opts.check(schema.hull, given), {}
	for _, p in ipairs(o.points) do
		for i = 1, 3 do flat[#flat + 1] = p[i] end
	end
	local raw = make("hull", solids.hull, flat, o.flat)
	if o.flat > 0 and solids.brush(raw, 1).volume == 0 then
		errors.fail("hull: with 'flat' = %s the sides that are left do not close; give less",
			opts.show(o.flat))
	end
	return finish(raw, o)
end

--- One brush from its planes.
function M.brush(given)
	local o, flat = opts.check(schema.brush, given), {}
	for i, p in ipairs(o.planes) do
		for k = 1, 4 do
			if type(p[k]) ~= "number" or p[5] ~= nil then
				errors.fail("brush: plane %d is not four numbers {nx, ny, nz, d}", i)
			end
			flat[#flat + 1] = p[k]
		end
	end
	local raw, closure = make("brush", solids.planes, flat)
	if closure ~= "closed" then
		errors.fail("brush: the planes %s", closure == "open" and "do not close"
			or "leave no inside")
	end
	return finish(raw, o)
end

--- The ground under a field of heights, as prisms.
function M.terrain_patch(given)
	local o = opts.check(schema.terrain_patch, given)
	return finish(make("terrain_patch", solids.terrain, o.heights, o.at[2], o.least, o.at[1],
		o.at[3], o.cell), o)
end

-- ---- booleans -------------------------------------------------------------------------------

local function boolean(kind, a, b)
	b = operand(b, kind)
	return new(make(kind, solids.boolean, kind, a.raw, b.raw), one_scene(a, b, kind))
end

--- Without what the other brushes fill. Faces that open look like the cutter's.
---@param other mapwright.brushes|mapwright.brushes[]
---@return mapwright.brushes
function Brushes:subtract(other) return boolean("subtract", self, other) end

--- What both fill.
function Brushes:intersect(other) return boolean("intersect", self, other) end

--- Both, as pieces that do not overlap.
function Brushes:union(other) return boolean("union", self, other) end

--- Both lists, one behind the other; nothing is cut.
function Brushes:join(other)
	other = operand(other, "join")
	local raw = solids.copy(self.raw)
	solids.append(raw, other.raw == raw and solids.copy(raw) or other.raw)
	return new(raw, one_scene(self, other, "join"))
end

function Brushes.__add(a, b) return operand(a, "+"):join(b) end
function Brushes.__sub(a, b) return operand(a, "-"):subtract(b) end

--- What lies on one side of a plane.
function Brushes:clip(given)
	local o = opts.check(schema.clip, given)
	local keep = ({ back = -1, front = 1, both = 0 })[o.keep]
	return new(make("clip", solids.clip, self.raw, o.normal[1], o.normal[2], o.normal[3],
		o.distance, keep), self.scene)
end

--- Walls of a thickness inside each brush.
---@param wall number
function Brushes:hollow(wall)
	wall = opts.value({ type = "number", min = 1e-6, max = 1e6, unit = "scene unit" }, wall, "hollow")
	return new(make("hollow", solids.hollow, self.raw, wall), self.scene)
end

--- Pieces joined again where that is exact and their faces look alike.
function Brushes:merge()
	return new(make("merge", solids.merge, self.raw), self.scene)
end

-- ---- moving ---------------------------------------------------------------------------------

-- rows: 9 numbers of a linear map; about: what stays
local function linear(b, rows, about, lock, what)
	local m = {}
	for r = 0, 2 do
		local shift = about[r + 1]
		for c = 1, 3 do
			m[#m + 1] = rows[3 * r + c]
			shift = shift - rows[3 * r + c] * about[c]
		end
		m[#m + 1] = shift
	end
	m[13] = lock
	return new(make(what, solids.transform, b.raw, table.unpack(m)), b.scene)
end

local triple_row = { type = "triple" }

--- Moved by {x, y, z}; textures go along.
---@param by number[]
function Brushes:move(by)
	local v = opts.value(triple_row, by, "move")
	return new(make("move", solids.transform, self.raw, 1, 0, 0, v[1], 0, 1, 0, v[2], 0, 0, 1,
		v[3], true), self.scene)
end

--- Turned: R = Ry(yaw) Rx(pitch) Rz(roll).
function Brushes:turn(given)
	local o = opts.check(schema.turn, given)
	return linear(self, { solids.turn(o.pitch, o.yaw, o.roll) }, o.about, o.lock, "turn")
end

--- Stretched by a number or {x, y, z} about the origin or another place.
---@param by number|number[]
---@param about? number[]
function Brushes:scale(by, about)
	local v = opts.value({ type = { "number", "triple" } }, by, "scale")
	if type(v) == "number" then v = { v, v, v } end
	about = about and opts.value(triple_row, about, "scale") or { 0, 0, 0 }
	return linear(self, { v[1], 0, 0, 0, v[2], 0, 0, 0, v[3] }, about, true, "scale")
end

--- Mirrored across the plane through `at` (default 0) along an axis.
---@param axis "x"|"y"|"z"
---@param at? number
function Brushes:mirror(axis, at)
	axis = opts.value({ enum = { "x", "y", "z" } }, axis, "mirror")
	at = at and opts.value({ type = "number" }, at, "mirror") or 0
	local i, about = ({ x = 1, y = 2, z = 3 })[axis], { 0, 0, 0 }
	local rows = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }
	rows[4 * i - 3], about[i] = -1, at
	return linear(self, rows, about, true, "mirror")
end

-- ---- faces ----------------------------------------------------------------------------------

local parts = { side = 6, inner = 7, seam = 8 }
local ways = { top = { 0, 1, 0 }, bottom = { 0, -1, 0 }, east = { 1, 0, 0 }, west = { -1, 0, 0 },
	south = { 0, 0, 1 }, north = { 0, 0, -1 } }

local function paint(b, faces, set, scene, what)
	faces = faces or "all"
	opts.value({ enum = schema.faces, name = "faces" }, faces, what)
	set.part = parts[faces]
	if ways[faces] then set.nx, set.ny, set.nz = table.unpack(ways[faces]) end
	local raw = solids.copy(b.raw)
	solids.paint(raw, set)
	return new(raw, scene)
end

--- With a material on all faces, or on those that look one way or are one part of their shape.
---@param material mapwright.material
---@param faces? string
function Brushes:material(material, faces)
	material = opts.value({ type = "material" }, material, "material")
	local scene = one_scene(self, material, "material")
	return paint(self, faces, { material = material.index }, scene, "material")
end

--- With another placing of the texture.
function Brushes:texture(given)
	local o = opts.check(schema.texture, given)
	local set = { rotation = o.rotation }
	if o.offset then set.u, set.v = o.offset[1], o.offset[2] end
	if o.scale then
		if o.scale[1] == 0 or o.scale[2] == 0 then errors.fail("texture: 'scale' must not be 0") end
		set.scale_u, set.scale_v = o.scale[1], o.scale[2]
	end
	return paint(self, o.faces, set, self.scene, "texture")
end

--- With faces that are not drawn.
---@param faces? string
function Brushes:hide(faces)
	return paint(self, faces, { hidden = true }, self.scene, "hide")
end

--- Filled with something else: "water", {"solid", "clip"}, "none".
---@param what string|string[]
function Brushes:contents(what)
	local names = type(what) == "table" and what or { what }
	local bits = what == "none" and 0 or contents.bits(names, "contents")
	local raw = solids.copy(self.raw)
	solids.contents(raw, bits)
	return new(raw, self.scene)
end

-- ---- asking ---------------------------------------------------------------------------------

--- Volume of what they fill; overlaps count once. [unit: scene unit cubed]
function Brushes:volume() return (make("volume", solids.measure, self.raw)) end

--- Area of all faces of all brushes.
function Brushes:area() return (select(3, make("area", solids.measure, self.raw))) end

--- The box that holds them {min = {x, y, z}, max = {x, y, z}}, or nil for none.
function Brushes:bounds()
	local _, _, _, a, b, c, d, e, f = make("bounds", solids.measure, self.raw)
	if a then return { min = { a, b, c }, max = { d, e, f } } end
	return nil
end

--- What a point is in: a list of contents, empty outside. Points on a face are outside.
---@param at number[] {x, y, z}
---@return string[]
function Brushes:contents_at(at)
	local p = opts.value(triple_row, at, "contents_at")
	return contents.names(solids.at(self.raw, p[1], p[2], p[3]))
end

--- Brush i: {contents, volume, faces = {{nx, ny, nz, d, material, part, corners}}}.
---@param i integer from 1
function Brushes:brush(i)
	i = opts.value({ type = "integer", min = 1, max = self.count }, i, "brush")
	local out = solids.brush(self.raw, i)
	out.contents = contents.names(out.contents)
	return out
end

require "mapwright.util.guard" (Brushes, "mapwright.brushes")

return M
