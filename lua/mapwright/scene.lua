--- A brush level: materials, brushes, meshes, entities, lights. Targets make files of it.
local brush = require "mapwright.brush"
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local opts = require "mapwright.opts"
local schema = require "mapwright.schema.scene"

local M = {}

local number_text = core.base.number_text

---@class mapwright.scene
---@field name string
---@field units_per_metre number
local Scene = { __name = "mapwright.scene" }
require "mapwright.util.classes".scene = Scene

function Scene.__index(_, name)
	local method = Scene[name]
	if method ~= nil then return method end
	errors.fail("scene: no field or method '%s'%s", tostring(name),
		require "mapwright.util.suggest" (name, Scene))
end

function Scene.__newindex(_, name)
	errors.fail("scene: no field '%s' to set", tostring(name))
end

function Scene.__tostring(s)
	return ("scene '%s'"):format(s.name)
end

---@class mapwright.material
---@field name string
local Material = { __name = "mapwright.material" }
Material.__index = Material
function Material.__tostring(m) return ("material '%s'"):format(m.name) end

--- A new, empty level.
---@return mapwright.scene
function M.scene(given)
	local o = opts.check(schema.scene, given)
	local raw = core.scene.new(o.name, o.units_per_metre, o.grid, table.unpack(o.ambient))
	return setmetatable({ raw = raw, name = o.name, units_per_metre = o.units_per_metre,
		materials = {}, groups = {} }, Scene)
end

--- A scene over what a format room read: core scene with its materials known by name.
function M.of(raw)
	local counts = raw:counts()
	local s = setmetatable({ raw = raw, name = counts.name, units_per_metre = counts.units_per_metre,
		materials = {}, groups = {} }, Scene)
	for i, m in ipairs(raw:materials()) do
		local made = setmetatable({ scene = s, index = i - 1, name = m.name }, Material)
		s.materials[m.name] = s.materials[m.name] or made
	end
	return s
end

--- Declare a material; the same name a second time is an error.
---@return mapwright.material
function Scene:material(given)
	local o = opts.check(schema.material, given)
	if self.materials[o.name] then
		errors.fail("material: '%s' is there already", o.name)
	elseif not (o.tile[1] > 0 and o.tile[2] > 0) then
		errors.fail("material: 'tile' must be above 0 both ways")
	end
	local px, py = math.tointeger(o.pixels[1]), math.tointeger(o.pixels[2])
	if not px or not py or px < 0 or py < 0 or px > 65536 or py > 65536 then
		errors.fail("material: 'pixels' must be two whole numbers in 0..65536")
	end
	local index = self.raw:material(o.name, o.texture, o.tile[1], o.tile[2], o.color[1],
		o.color[2], o.color[3], px, py)
	local made = setmetatable({ scene = self, index = index, name = o.name }, Material)
	self.materials[o.name] = made
	return made
end

-- Number of a group by its name, made when new.
local function group_of(self, name, at)
	if not name then return 0 end
	if not self.groups[name] then self.groups[name] = self.raw:group(name, at) end
	return self.groups[name]
end

local function put(self, what, owner, group, detail, at, word)
	local class = type(what) == "table" and getmetatable(what)
	if type(what) == "table" and not class then
		for _, one in ipairs(what) do put(self, one, owner, group, detail, at, word) end
		return
	end
	local name = class and class.__name
	if name ~= "mapwright.brushes" and name ~= "mapwright.mesh" then
		errors.fail("%s: expected brushes or meshes, got %s", word, opts.show(what))
	end
	local scene = rawget(what, "scene")
	if scene and scene ~= self then
		errors.fail("%s: the materials are another scene's", word)
	end
	if name == "mapwright.brushes" then
		self.raw:add(what.raw, owner, group, detail, at)
	else
		local vertices, polys = require "mapwright.mesh".flat(what)
		self.raw:mesh(what.name, vertices, polys, owner, group, what.collides, at)
	end
end

--- Add brushes, meshes, or lists of them to the world.
---@param what mapwright.brushes|mapwright.mesh|table
---@param given? mapwright.options.scene.add
function Scene:add(what, given)
	local o, at = opts.check(schema.add, given), errors.where()
	put(self, what, 0, group_of(self, o.group, at), o.detail, at, "add")
	return self
end

local function value_text(v, key)
	local kind = type(v)
	if kind == "string" then return v end
	if kind == "number" then return number_text(v) end
	if kind == "boolean" then return v and "1" or "0" end
	if kind == "table" and #v > 0 then
		local out = {}
		for i, part in ipairs(v) do
			if type(part) ~= "number" then
				errors.fail("entity: key '%s' must be text, a number, true, false or numbers", key)
			end
			out[i] = number_text(part)
		end
		return table.concat(out, " ")
	end
	errors.fail("entity: key '%s' must be text, a number, true, false or numbers, got %s", key,
		opts.show(v))
end

-- {key, value, key, value, ...} as texts
local function flat_keys(keys, out)
	out = out or {}
	if not keys then return out end
	local function add(key, v)
		if type(key) ~= "string" or key == "" then
			errors.fail("entity: a key must be a name, got %s", opts.show(key))
		elseif key == "classname" or key == "origin" then
			errors.fail("entity: '%s' is no key of 'keys'; use '%s'", key,
				key == "origin" and "at" or key)
		end
		out[#out + 1] = key
		out[#out + 1] = value_text(v, key)
	end
	if #keys > 0 then
		for i, pair in ipairs(keys) do
			if type(pair) ~= "table" or #pair ~= 2 then
				errors.fail("entity: keys[%d] must be a pair {key, value}", i)
			end
			add(pair[1], pair[2])
		end
		return out
	end
	for _, key in ipairs(require "mapwright.util.ordered".keys(keys)) do add(key, keys[key]) end
	return out
end

-- A wire is a pair of texts in all formats: its output, and the rest with commas between.
local function check_wire(w, i, at)
	for _, name in ipairs { "output", "target", "input" } do
		if not w[name]:match "%S" then
			errors.fail("entity: wire %d: '%s' is blank", i, name)
		end
	end
	if w.output == "classname" or w.output == "origin" or w.output == "targetname" then
		errors.fail("entity: wire %d: 'output' = '%s' is a key of its own", i, w.output)
	end
	for _, name in ipairs { "target", "input", "parameter" } do
		if w[name]:find(",", 1, true) then
			core.log.put("warning", "wire-comma", ("%s: entity: wire %d: '%s' = '%s': commas part the"
				.. " fields of a wire, here they become blanks"):format(at, i, name, w[name]))
		end
	end
end

local function make(self, classname, o, keys, word)
	local at = errors.where()
	local group = group_of(self, o.group, at)
	local number = self.raw:entity(classname, o.at or { 0, 0, 0 },
		{ o.pitch or 0, o.yaw or 0, o.roll or 0 }, o.scale or { 1, 1, 1 }, keys, group, at)
	for i, wire in ipairs(o.wires or {}) do
		local w = opts.check(schema.wire, wire)
		check_wire(w, i, at)
		self.raw:wire(number, w.output, w.target, w.input, w.parameter, w.delay, w.once)
	end
	if o.brushes then put(self, o.brushes, number, group, false, at, word) end
	if o.meshes then put(self, o.meshes, number, group, false, at, word) end
	return self
end

--- An entity: anything that is more than walls. With brushes or meshes it is made of them.
function Scene:entity(given)
	local o = opts.check(schema.entity, given)
	if o.classname == "" then errors.fail("entity: 'classname' is empty") end
	return make(self, o.classname, o, flat_keys(o.keys), "entity")
end

local starts = { single = "player_start", coop = "player_coop", deathmatch = "player_deathmatch" }

--- Where a player starts.
function Scene:player_start(given)
	local o = opts.check(schema.player_start, given)
	return make(self, starts[o.kind], o, flat_keys(o.keys), "player_start")
end

local lights = { point = "light", spot = "light_spot", sun = "light_sun" }

--- A light.
function Scene:light(given)
	local o, keys = opts.check(schema.light, given), {}
	local function add(key, v)
		if v then
			keys[#keys + 1] = key
			keys[#keys + 1] = value_text(v, key)
		end
	end
	if o.kind ~= "spot" and (o.inner or o.outer) then
		errors.fail("light: 'inner' and 'outer' belong to a spot")
	elseif o.kind == "sun" and o.radius then
		errors.fail("light: a sun has no 'radius'")
	end
	add("color", o.color)
	add("intensity", o.intensity)
	add("radius", o.radius)
	add("outer", o.outer)
	add("inner", o.inner)
	return make(self, lights[o.kind], o, flat_keys(o.keys, keys), "light")
end

-- ---- asking ---------------------------------------------------------------------------------

--- How much there is: {materials, brushes, faces, meshes, entities, groups}.
function Scene:counts()
	local counts = self.raw:counts()
	counts.name, counts.units_per_metre = nil, nil
	return counts
end

--- The world's brushes as a value, to measure or to ask.
---@return mapwright.brushes
function Scene:brushes()
	return brush.new(self.raw:brushes(0), self)
end

--- The entities as they are now: {classname, at, angles, scale, pairs} each.
function Scene:entities() return self.raw:entities() end

require "mapwright.util.guard" (Scene, "mapwright.scene")

return M
