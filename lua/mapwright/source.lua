--- Sources: expressions over the plane that know no grid. A field is filled from one, a mask is
--- read from one. Sources are values: every method and operator makes a new one.
---   local hills = mw.noise.gradient{ period = 600, octaves = 5, amplitude = 90 }
---   local road = mw.source.distance{ line = { {0, 500}, {4096, 900} } }
---   land.height:add(hills:max(0) ^ 1.2 + road:smoothstep(0, 200) * 40)
--- Numbers, fields and images may stand wherever a source may. A field is read as it is at that
--- moment, bilinear between its samples; an image is laid over the whole map and read as 0..1.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local opts = require "mapwright.opts"
local schema = require "mapwright.schema.source"

local cs = core.source

---@class mapwright.source
---@operator add(mapwright.source|mapwright.field|number): mapwright.source
---@operator sub(mapwright.source|mapwright.field|number): mapwright.source
---@operator mul(mapwright.source|mapwright.field|number): mapwright.source
---@operator div(mapwright.source|mapwright.field|number): mapwright.source
---@operator pow(mapwright.source|mapwright.field|number): mapwright.source
---@operator unm: mapwright.source
local Source = {}
require "mapwright.util.classes".source = Source

-- mw.noise and mw.source
local noise, source = {}, {}
local M = { methods = Source, noise = noise, source = source }

cs.meta.__index = setmetatable(Source, {
	__index = function(_, name)
		errors.fail("source: no method '%s'%s", tostring(name),
			require "mapwright.util.suggest" (name, Source))
	end,
})

function cs.meta.__tostring()
	return "source"
end

local operand_row = { type = { "source", "field", "image", "number" } }

local of_image

-- v as a core source; what names the operation in messages.
local function operand(v, what)
	v = opts.value(operand_row, v, what)
	if type(v) == "number" then return cs.constant(v) end
	local class = getmetatable(v).__name
	if class == "mapwright.field" then return cs.field(v, "bilinear", "clamp") end
	if class == "mapwright.image" then return of_image(v, {}) end
	return v
end

--- A number, field, image or source as a source.
---@param v number|mapwright.field|mapwright.image|mapwright.source
---@return mapwright.source
function source.of(v)
	return operand(v, "source")
end
M.of = source.of

-- ---- operators ---------------------------------------------------------------------------------

local function operator(op, sign)
	return function(a, b)
		local what = ("operator '%s'"):format(sign)
		return cs.apply(op, operand(a, what), operand(b, what))
	end
end

cs.meta.__add = operator("add", "+")
cs.meta.__sub = operator("sub", "-")
cs.meta.__mul = operator("mul", "*")
cs.meta.__div = operator("div", "/")
cs.meta.__pow = operator("pow", "^")
function cs.meta.__unm(a) return cs.apply("neg", a) end

-- ---- values ------------------------------------------------------------------------------------

--- The lesser of two values.
---@param b number|mapwright.field|mapwright.source
---@return mapwright.source
function Source:min(b) return cs.apply("min", self, operand(b, "source:min")) end

--- The greater of two values.
---@param b number|mapwright.field|mapwright.source
---@return mapwright.source
function Source:max(b) return cs.apply("max", self, operand(b, "source:max")) end

--- The value without its sign.
---@return mapwright.source
function Source:abs() return cs.apply("abs", self) end

--- The square root.
---@return mapwright.source
function Source:sqrt() return cs.apply("sqrt", self) end

--- The whole number below.
---@return mapwright.source
function Source:floor() return cs.apply("floor", self) end

--- Keep the value between two others.
---@param low number|mapwright.field|mapwright.source
---@param high number|mapwright.field|mapwright.source
---@return mapwright.source
function Source:clamp(low, high)
	if type(low) == "number" and type(high) == "number" and low > high then
		errors.fail("source:clamp: 'low' = %s is above 'high' = %s", opts.show(low),
			opts.show(high))
	end
	return cs.apply("clamp", self, operand(low, "source:clamp: 'low'"),
		operand(high, "source:clamp: 'high'"))
end

--- Go towards another value: `t` = 0 keeps this one, 1 takes the other.
---@param b number|mapwright.field|mapwright.source
---@param t number|mapwright.field|mapwright.source
---@return mapwright.source
function Source:lerp(b, t)
	return cs.apply("lerp", self, operand(b, "source:lerp"), operand(t, "source:lerp: 't'"))
end

--- 0 below `low`, 1 above `high`, a smooth climb between; with `low` above `high` a descent.
---@param low number|mapwright.field|mapwright.source
---@param high number|mapwright.field|mapwright.source
---@return mapwright.source
function Source:smoothstep(low, high)
	return cs.apply("smoothstep", self, operand(low, "source:smoothstep: 'low'"),
		operand(high, "source:smoothstep: 'high'"))
end

--- 1 where the value reaches `edge`, 0 elsewhere.
---@param edge number|mapwright.field|mapwright.source
---@return mapwright.source
function Source:step(edge) return cs.apply("step", self, operand(edge, "source:step")) end

--- `yes` where this is above 0, `no` elsewhere.
---@param yes number|mapwright.field|mapwright.source
---@param no number|mapwright.field|mapwright.source
---@return mapwright.source
function Source:select(yes, no)
	return cs.apply("select", self, operand(yes, "source:select: 'yes'"),
		operand(no, "source:select: 'no'"))
end

local function table_of(points, what)
	local xs, ys = {}, {}
	for i, p in ipairs(points) do
		local pair = opts.value({ name = ("[%d]"):format(i), type = "pair" }, p, what)
		xs[i], ys[i] = pair[1], pair[2]
		if i > 1 and xs[i] <= xs[i - 1] then
			errors.fail("%s: point %d is at %s, which does not rise above %s", what, i,
				opts.show(xs[i]), opts.show(xs[i - 1]))
		end
	end
	if #xs == 0 or #xs > 64 then
		errors.fail("%s: expected 1 to 64 pairs {from, to}, got %d", what, #xs)
	end
	return xs, ys
end

--- Replace values by a table of points: `:curve{ {0, 0}, {50, 10}, {80, 90}, smooth = true }`.
--- Beyond the ends the table is flat.
---@param points number[][]|{smooth?: boolean}
---@return mapwright.source
function Source:curve(points)
	if type(points) ~= "table" then
		errors.fail("source:curve: expected a list of pairs {from, to}, got %s",
			opts.show(points))
	end
	for key in next, points do
		if type(key) ~= "number" and key ~= "smooth" then
			errors.fail("source:curve: unknown option '%s' (it takes pairs and 'smooth')",
				tostring(key))
		end
	end
	local o = opts.check(schema.curve, points)
	local xs, ys = table_of(points, "source:curve")
	return cs.curve(self, xs, ys, o.smooth)
end

-- Uneven steps are a smooth curve that is flat on each step.
local function levels(self, o)
	local list = o.levels
	if #list < 2 or #list > 32 then
		errors.fail("source:terrace: 'levels' must have 2 to 32 steps, got %d", #list)
	end
	local xs, ys = {}, {}
	local function point(x, y)
		if #xs == 0 or x > xs[#xs] then xs[#xs + 1], ys[#ys + 1] = x, y end
	end
	for i, level in ipairs(list) do
		local below = list[i - 1]
		if below then
			if level <= below then
				errors.fail("source:terrace: level %d, %s, does not rise above %s", i,
					opts.show(level), opts.show(below))
			end
			-- A cliff still needs some width; a millionth of the step is none to the eye.
			local climb = math.max(o.soften, 1e-6) * (level - below)
			point(level - climb, below)
		end
		point(level, level)
	end
	return cs.curve(self, xs, ys, true)
end

--- Steps: `:terrace(40)`, `:terrace{ step = 40, soften = 0.3 }`, or
--- `:terrace{ levels = {0, 60, 90} }`.
---@param given number|table
---@return mapwright.source
function Source:terrace(given)
	if type(given) == "number" then given = { step = given } end
	local o = opts.check(schema.terrace, given)
	if (o.step == nil) == (o.levels == nil) then
		errors.fail("source:terrace: give 'step' or 'levels'")
	end
	if o.levels then return levels(self, o) end
	return cs.terrace(self, o.step, o.offset, o.soften)
end

-- ---- places ------------------------------------------------------------------------------------

--- Moved by so much to the east and south.
---@param x number [unit: elmo]
---@param z number [unit: elmo]
---@return mapwright.source
function Source:translate(x, z)
	x = opts.value({ name = "x", type = "number" }, x, "source:translate")
	z = opts.value({ name = "z", type = "number" }, z, "source:translate")
	return cs.transform(self, 1, 0, -x, 0, 1, -z)
end

--- Made larger about (0, 0); one factor, or one along x and one along z.
---@param x number
---@param z? number
---@return mapwright.source
function Source:scale(x, z)
	local function factor(name, v)
		v = opts.value({ name = name, type = "number", min = -1e6, max = 1e6 }, v, "source:scale")
		if math.abs(v) < 1e-6 then
			errors.fail("source:scale: '%s' = %s is too near to 0", name, opts.show(v))
		end
		return 1 / v
	end
	x = factor("x", x)
	return cs.transform(self, x, 0, 0, 0, z and factor("z", z) or x, 0)
end

--- Turned clockwise, seen from above.
---@param degrees number
---@param given? {at?: table}
---@return mapwright.source
function Source:rotate(degrees, given)
	degrees = opts.value({ name = "degrees", type = "number", min = -1e6, max = 1e6 }, degrees,
		"source:rotate")
	local o = opts.check(schema.rotate, given)
	local at = o.at or { x = 0, z = 0 }
	return cs.rotate(self, degrees / 360, at.x, at.z)
end

-- What tells noises without a seed apart, and what is added to the seed of those that have one.
local function seeding(o, kind)
	if o.seed then return o.seed, nil end
	return 0, o.name and kind .. ":" .. o.name or kind
end

--- Read elsewhere: `:warp{ x = a, z = b }` moves the place by two sources,
--- `:warp{ amplitude = 60 }` by noise.
---@param given table
---@return mapwright.source
function Source:warp(given)
	local o = opts.check(schema.warp, given)
	if o.amplitude then
		if o.x or o.z then
			errors.fail("source:warp: give 'x' and 'z', or 'amplitude', not both")
		end
		local period = o.period or math.max(4 * o.amplitude, 1e-3)
		local seed, stream = seeding(o, "source:warp")
		local function push(axis)
			return cs.noise("gradient", "sum", "f1", period, o.octaves, o.amplitude, 2, 0.5, 2, 1,
				seed ~ axis, stream)
		end
		return cs.warp(self, push(0), push(0x5a))
	end
	if not o.x and not o.z then errors.fail("source:warp: needs 'x', 'z' or 'amplitude'") end
	return cs.warp(self, o.x and operand(o.x, "source:warp: 'x'"),
		o.z and operand(o.z, "source:warp: 'z'"))
end

--- Made symmetric as fields are: the west half ("x"), the north half ("z", "point"), the
--- north-west quarter ("quad") or one sector of n ({n = 3}) is read everywhere.
---@param mirror "x"|"z"|"point"|"quad"|{n: integer}
---@param given? {at?: table, soften?: number}
---@return mapwright.source
function Source:mirror(mirror, given)
	mirror = opts.value({ name = "mirror", type = "mirror" }, mirror, "source:mirror")
	local o = opts.check(schema.mirror, given)
	local kind, n = mirror, 0
	if type(mirror) == "table" then
		kind, n = "turn", mirror.n
		if n > 16 then errors.fail("source:mirror: n = %d is outside 2..16", n) end
	end
	return cs.mirror(self, kind, n, o.at and o.at.x, o.at and o.at.z, o.soften)
end

--- The value at one place. [unit: elmo] `seed` is for noise that has none of its own. There is no
--- map here: symmetries and pictures that depend on its size are to be seen in a field.
---@param x number
---@param z number
---@param seed? integer
---@return number
function Source:at(x, z, seed)
	x = opts.value({ name = "x", type = "number" }, x, "source:at")
	z = opts.value({ name = "z", type = "number" }, z, "source:at")
	seed = opts.value({ name = "seed", type = "integer" }, seed or 0, "source:at")
	local one = core.field.new(1, 1, x, z, 1, seed)
	cs.eval(self, one)
	return core.field.get(one, 0, 0)
end

-- ---- mw.noise ----------------------------------------------------------------------------------

local function make_noise(o, kind, basis, fractal)
	local seed, stream = seeding(o, "noise." .. kind)
	return cs.noise(basis, fractal, o.distance or "f1", o.period, o.octaves, o.amplitude,
		o.lacunarity, o.gain, o.feedback or 2, o.jitter or 1, seed, stream)
end

--- Gradient (Perlin's) noise, -amplitude..amplitude; with octaves, fractal Brownian motion.
---@return mapwright.source
function noise.gradient(given)
	return make_noise(opts.check(schema.gradient, given), "gradient", "gradient", "sum")
end

--- Value noise, -amplitude..amplitude: blockier, and cheaper, than gradient noise.
---@return mapwright.source
function noise.value(given)
	return make_noise(opts.check(schema.value, given), "value", "value", "sum")
end

--- Rounded hills between sharp valleys, 0..amplitude.
---@return mapwright.source
function noise.billow(given)
	local o = opts.check(schema.billow, given)
	return make_noise(o, "billow", o.basis, "billow")
end

--- Sharp ridges, 0..amplitude.
---@return mapwright.source
function noise.ridged(given)
	local o = opts.check(schema.ridged, given)
	return make_noise(o, "ridged", o.basis, "ridged")
end

--- Distances to points strewn one to a cell; `amplitude` is the value at one period's distance.
---@return mapwright.source
function noise.cellular(given)
	return make_noise(opts.check(schema.cellular, given), "cellular", "cellular", "sum")
end

-- ---- mw.source ---------------------------------------------------------------------------------

--- The position along x. [unit: elmo]
---@return mapwright.source
function source.x() return cs.x() end

--- The position along z. [unit: elmo]
---@return mapwright.source
function source.z() return cs.z() end

--- The same everywhere.
---@param v number
---@return mapwright.source
function source.constant(v)
	return cs.constant(opts.value({ type = "number" }, v, "source.constant"))
end

--- Distance to the nearest of some points, to a line, or to the edge of an area (negative inside).
--- [unit: elmo]
---@return mapwright.source
function source.distance(given)
	local o = opts.check(schema.distance, given)
	local kind, points
	for _, name in ipairs { "points", "line", "polygon" } do
		if o[name] then
			if kind then
				errors.fail("source.distance: give '%s' or '%s', not both", kind, name)
			end
			kind, points = name, o[name]
		end
	end
	if not kind then errors.fail("source.distance: needs 'points', 'line' or 'polygon'") end
	local least = kind == "polygon" and 3 or kind == "line" and 2 or 1
	if #points < least then
		errors.fail("source.distance: '%s' needs at least %d positions, got %d", kind, least,
			#points)
	end
	local flat = {}
	for i, p in ipairs(points) do flat[2 * i - 1], flat[2 * i] = p.x, p.z end
	return cs.distance(kind, flat)
end

--- 0 at one place and 1 at another, along the line between them, and no further.
---@return mapwright.source
function source.gradient(given)
	local o = opts.check(schema.gradient_along, given)
	local dx, dz = o.to.x - o.from.x, o.to.z - o.from.z
	local length2 = dx * dx + dz * dz
	if length2 == 0 then
		errors.fail("source.gradient: 'from' and 'to' are the same place, (%s, %s)",
			opts.show(o.from.x), opts.show(o.from.z))
	end
	-- x, read where the line lies along the x axis
	return cs.apply("clamp", cs.transform(cs.x(), dx / length2, dz / length2,
		-(o.from.x * dx + o.from.z * dz) / length2, 0, 1, 0), cs.constant(0), cs.constant(1))
end

--- 0 at a place and 1 at the radius and beyond.
---@return mapwright.source
function source.radial(given)
	local o = opts.check(schema.radial, given)
	local far = cs.distance("points", { o.at.x, o.at.z })
	return cs.apply("min", cs.apply("div", far, cs.constant(o.radius)), cs.constant(1))
end

local channels = { grey = -1, red = 0, green = 1, blue = 2, alpha = 3 }

function of_image(image, o)
	local w, h, bits = core.image.info(image)
	if bits and o.channel and o.channel ~= "grey" then
		errors.fail("source.image: a grey image has no channel '%s'", o.channel)
	end
	local top = bits == 16 and 65535 or 255
	local f = core.image.to_field(image, channels[o.channel or "grey"], 1 / top, 0)
	-- Pixels are squares: the middle of the first lies half a pixel inside.
	core.field.place(f, 0.5, 0.5, 1)
	local s = cs.field(f, o.filter or "bilinear", o.edge or "clamp")
	if not o.min then return cs.fit(s, w, h) end
	local sx, sz = w / (o.max.x - o.min.x), h / (o.max.z - o.min.z)
	return cs.transform(s, sx, 0, -o.min.x * sx, 0, sz, -o.min.z * sz)
end

--- A picture laid over the whole map, or over a box, and read as 0..1.
---@return mapwright.source
function source.image(given)
	if type(given) == "string" then given = { image = given } end
	local o = opts.check(schema.image, given)
	if (o.min == nil) ~= (o.max == nil) then
		errors.fail("source.image: give both 'min' and 'max', or neither for the whole map")
	elseif o.min and (o.max.x <= o.min.x or o.max.z <= o.min.z) then
		errors.fail("source.image: 'max' (%s, %s) must lie south-east of 'min' (%s, %s)",
			opts.show(o.max.x), opts.show(o.max.z), opts.show(o.min.x), opts.show(o.min.z))
	end
	local image = o.image
	if type(image) == "string" then image = require "mapwright.image" (image) end
	return of_image(image, o)
end

--- A field's samples as they are now, where they lie.
---@param f mapwright.field
---@param given? {filter?: string, edge?: string}
---@return mapwright.source
function source.field(f, given)
	opts.value({ type = "field" }, f, "source.field")
	local o = opts.check(schema.field, given)
	return cs.field(f, o.filter, o.edge)
end

for prefix, members in next, { noise = noise, source = source } do
	opts.parts[members] = true
	setmetatable(members, {
		__index = function(_, name)
			errors.fail("mw.%s.%s does not exist%s", prefix, tostring(name),
				require "mapwright.util.suggest" (name, members))
		end,
	})
end

require "mapwright.util.guard" (Source, "mapwright.source", cs.meta)

return M
