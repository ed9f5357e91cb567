--- A height-map level: its height field, what its cells hold and what stands on it.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local field = require "mapwright.field"
local mirror = require "mapwright.mirror"
local opts = require "mapwright.opts"
local picture = require "mapwright.util.picture"
local schema = require "mapwright.schema.terrain"
local term = require "mapwright.cli.term"

local M = {}

local SQUARE, UNIT = 8, 512 -- [unit: elmo]

---@class mapwright.terrain
---@field height mapwright.field vertex heights, one sample every 8 elmos
---@field width number [unit: elmo]
---@field depth number [unit: elmo]
---@field squares {x: integer, z: integer}
---@field min_height number
---@field max_height number
---@field seed integer
---@field starts {x: number, z: number}[] in team order
---@field spots table[] metal spots, mirrored ones included
---@field vents table[]
---@field features table[]
local Terrain = {}
Terrain.__name = "mapwright.terrain"

-- terrain -> its fields: the objects themselves stay empty, so that none is replaced unseen
local fields = setmetatable({}, { __mode = "k" })

-- A table that a script may read, and that only the library fills (by rawset).
local function read_only(name, instead)
	return setmetatable({}, { __newindex = function()
		errors.fail("terrain: '%s' is to be read; %s", name, instead)
	end })
end

local function append(list, item)
	rawset(list, #list + 1, item)
end

-- {squares x, squares z} from whichever size was given.
local function squares_of(o)
	local given, per = nil, { map_units = UNIT / SQUARE, squares = 1, elmos = 1 / SQUARE }
	for _, name in ipairs { "map_units", "squares", "elmos" } do
		if o[name] then
			if given then errors.fail("terrain: give one of '%s' and '%s', not both", given, name) end
			given = name
		end
	end
	if not given then
		errors.fail("terrain: 'map_units' is required, for example map_units = {8, 8}")
	end
	local out = {}
	for i, side in ipairs { "width", "depth" } do
		local value = o[given][i]
		local n = math.tointeger(value * per[given])
		if not n or n < 1 or n > 16384 then
			errors.fail("terrain: %s %s in '%s' is not a whole number of squares", side,
				opts.show(value), given)
		end
		out[i] = n
	end
	return { x = out[1], z = out[2] }
end

require "mapwright.util.classes".terrain = Terrain

--- A new flat terrain at height 0.
---@return mapwright.terrain
function M.terrain(given)
	local o = opts.check(schema.terrain, given)
	local squares = squares_of(o)
	core.smf.check_size(squares.x, squares.z, o.force_size)
	if o.max_height < o.min_height then
		errors.fail("terrain: 'max_height' = %s is below 'min_height' = %s",
			opts.show(o.max_height), opts.show(o.min_height))
	end
	local self = setmetatable({}, Terrain)
	fields[self] = {
		squares = setmetatable({}, { __index = squares, __newindex = function()
			errors.fail "terrain: 'squares' is to be read; the size is given to mw.terrain"
		end }),
		width = squares.x * SQUARE, depth = squares.z * SQUARE,
		min_height = o.min_height, max_height = o.max_height, seed = o.seed,
		starts = read_only("starts", "write land:start{...}"),
		spots = read_only("spots", "write land:metal_spot{...}"),
		vents = read_only("vents", "write land:vent{...}"),
		features = read_only("features", "write land:feature{...}"),
		metal_layers = {}, type_layers = {}, grass_layers = {},
		ground_layers = {}, force_size = o.force_size,
		height = field.of_grid(squares.x + 1, squares.z + 1, 0, 0, SQUARE, o.seed),
	}
	return self
end

function Terrain.__index(self, name)
	local method = Terrain[name]
	if method ~= nil then return method end
	local own = fields[self]
	if own[name] ~= nil then return own[name] end
	local names = {}
	for known in next, Terrain do
		if not known:find "^__" then names[known] = true end
	end
	for known in next, own do names[known] = true end
	errors.fail("terrain: no field or method '%s'%s", tostring(name),
		require "mapwright.util.suggest" (name, names))
end

function Terrain.__newindex(self, name)
	if name == "height" then
		errors.fail "terrain: 'height' is a field that stays; write land.height:set(...)"
	elseif fields[self][name] ~= nil then
		errors.fail("terrain: '%s' is to be read, it cannot be set", name)
	end
	errors.fail("terrain: no field '%s' to set", tostring(name))
end

function Terrain:__tostring()
	return ("terrain %gx%g"):format(self.width / UNIT, self.depth / UNIT)
end

--- Heights from a picture: 65536 steps from `low` to `high`, by the engine's own formula, so that
--- the words of a 16-bit picture come out as they went in.
---@param given mapwright.options.terrain.heights
function Terrain:heights(given)
	local o = opts.check(schema.heights, given)
	local w, h = self.height.w, self.height.h
	local img
	if o.picture:lower():match "%.r16$" or o.picture:lower():match "%.raw$" then
		local bytes, label = picture.read(o.picture, "heights")
		img = core.image.raw(bytes, o.resize and 0 or w, o.resize and 0 or h, o.big_endian, label)
		if o.resize then img = core.image.resize(img, w, h, "smooth") end
	else
		img = picture.heights_of(o.picture, w, h, o.resize)
	end
	self.height:set(core.quantize.decode_u16(core.image.words(img), w, h, o.low or self.min_height,
		o.high or self.max_height, 0, 0, SQUARE))
	term.flush_warnings(errors.where())
	return self
end

-- ---- placing --------------------------------------------------------------------------------

-- Images of an option table's place, checked against the map.
local function images(self, o, what)
	local out = mirror.images(o.mirror, self.width, self.depth, o.x, o.z)
	for _, at in ipairs(out) do
		if at.x < 0 or at.x > self.width or at.z < 0 or at.z > self.depth then
			errors.fail("%s: (%s, %s) is outside the map (0..%d, 0..%d elmos)%s", what,
				opts.show(at.x), opts.show(at.z), self.width, self.depth,
				at.x == o.x and at.z == o.z and "" or ", a mirror image of the place given")
		end
	end
	return out
end

--- A metal spot: a smooth dome that gives an extractor there `metal` per second.
function Terrain:metal_spot(given)
	local o, at = opts.check(schema.metal_spot, given), errors.where()
	for _, image in ipairs(images(self, o, "metal_spot")) do
		append(self.spots, { x = image.x, z = image.z, radius = o.radius, metal = o.metal,
			snap = o.snap, at = at })
	end
	return self
end

--- A feature: a tree, a rock, a wreck of the map or the game.
function Terrain:feature(given)
	local o, at = opts.check(schema.feature, given), errors.where()
	if #o.name > 30 then
		errors.fail("feature: name '%s' has %d bytes; the engine reads 30 at most", o.name, #o.name)
	elseif o.name == "" or o.name:find "%c" then
		errors.fail("feature: name %s is empty or holds a control character", opts.show(o.name))
	end
	local heading = mirror.heading(o, "feature")
	for _, image in ipairs(images(self, o, "feature")) do
		local turned = image.heading(heading)
		if o.compass or o.facing or turned ~= heading then turned = mirror.wrap(turned) end
		append(self.features, { name = o.name, x = image.x, z = image.z, heading = turned,
			at = at })
	end
	return self
end

--- A geothermal vent.
function Terrain:vent(given)
	local o, at = opts.check(schema.vent, given), errors.where()
	local heading = mirror.heading(o, "vent")
	for _, image in ipairs(images(self, o, "vent")) do
		append(self.vents, { name = "GeoVent", x = image.x, z = image.z,
			heading = mirror.wrap(image.heading(heading)), at = at })
	end
	return self
end

--- A start position; each call (and each mirror image) is the next team.
function Terrain:start(given)
	local o, at = opts.check(schema.start, given), errors.where()
	for _, image in ipairs(images(self, o, "start")) do
		append(self.starts, { x = image.x, z = image.z, at = at })
	end
	return self
end

--- Positions drawn by density, with exact spacing and symmetry.
---@return {x: number, z: number}[]
function Terrain:scatter(given)
	local o = opts.check(schema.scatter, given)
	local positions = require "mapwright.scatter".positions(self, o)
	term.flush_warnings(errors.where())
	return positions
end

-- ---- cells ----------------------------------------------------------------------------------

-- Note one layer; `names` are the options that may hold its value.
local function layer(self, list, rows, given, names)
	local o, chosen = opts.check(rows, given), {}
	for _, name in ipairs { "picture", table.unpack(names) } do
		if o[name] ~= nil then chosen[#chosen + 1] = name end
	end
	if #chosen ~= 1 then
		errors.fail("%s: give one of 'picture' and '%s'%s", rows.name, table.concat(names, "', '"),
			#chosen > 1 and ", not " .. #chosen .. " of them" or "")
	end
	o.kind, o.at = chosen[1], errors.where()
	o.value = o[chosen[1]]
	if o.kind == "picture" then
		-- read when built; a missing file is told now, at its line
		local path = picture.file(o.value)
		if core.fs.kind(path) ~= "file" then errors.fail("%s: no picture '%s'", rows.name, o.value) end
	end
	-- conditions on the ground are those of the ground as it is now
	if o.above or o.below then o.height = self.height:copy() end
	if o.slope_above or o.slope_below then o.slope = self:slope() end
	list[#list + 1] = o
	return self
end

--- Paint the metal map: a picture, a source, a field or a number, where conditions hold. Later
--- calls paint over or add to earlier ones; spots are added last.
---@param given mapwright.options.terrain.metal
function Terrain:metal(given)
	return layer(self, self.metal_layers, schema.metal, given, { "bytes" })
end

--- Paint the type map. A cell nobody paints is type 0.
---@param given mapwright.options.terrain.types
function Terrain:types(given)
	return layer(self, self.type_layers, schema.types, given, { "type" })
end

--- Paint grass.
---@param given mapwright.options.terrain.grass
function Terrain:grass(given)
	return layer(self, self.grass_layers, schema.grass, given, { "density", "bytes" })
end

--- Say what the ground looks like; see the manual's section on the ground.
function Terrain:ground(given)
	require "mapwright.ground".set(self, given)
	return self
end

-- ---- asking ---------------------------------------------------------------------------------

--- The engine's height at a place, between vertices too. [unit: elmo]
function Terrain:height_at(x, z)
	return self.height:height_at(x, z)
end

--- Steepness of the height field as it is now, in degrees.
function Terrain:slope()
	return self.height:slope()
end

require "mapwright.util.guard" (Terrain, "mapwright.terrain")

return M
