--- Fields: grids of numbers that scripts paint, stamp, erode and read. Positions and lengths are in
--- elmos, values in whatever the field holds (a terrain's height field: elmos). Methods change the
--- field and return it, so that they chain; `copy` keeps the old one. Slope, curvature and resample
--- make new fields. Sample (i, j) counts from 0 at the north-west and lies at x + i * step,
--- z + j * step.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local opts = require "mapwright.opts"
local schema = require "mapwright.schema.field"

local cf = core.field

---@class mapwright.field
---@field w integer samples from west to east
---@field h integer samples from north to south
---@field step number [unit: elmo] distance of neighbouring samples
---@field x number [unit: elmo] where the first column lies
---@field z number [unit: elmo] where the first row lies
---@field seed integer for noise and erosion that have no seed of their own
local Field = {}
require "mapwright.util.classes".field = Field

local M = { methods = Field }

-- position of a readable field in cf.shape's results
local shape_index = { w = 1, h = 2, x = 3, z = 4, step = 5, seed = 6 }

cf.set_methods(Field, function(f, name)
	local k = shape_index[name]
	if k then return (select(k, cf.shape(f))) end
	local names = {}
	for known in next, Field do names[known] = true end
	for known in next, shape_index do names[known] = true end
	errors.fail("field: no field or method '%s'%s", tostring(name),
		require "mapwright.util.suggest" (name, names))
end)

function cf.meta.__tostring(f)
	return ("field %dx%d"):format(f.w, f.h)
end

-- Arithmetic between fields, sources and numbers makes sources; fields stay as they are.
local function source_of(v)
	return require "mapwright.source".of(v)
end
function cf.meta.__add(a, b) return source_of(a) + source_of(b) end
function cf.meta.__sub(a, b) return source_of(a) - source_of(b) end
function cf.meta.__mul(a, b) return source_of(a) * source_of(b) end
function cf.meta.__div(a, b) return source_of(a) / source_of(b) end
function cf.meta.__pow(a, b) return source_of(a) ^ source_of(b) end
function cf.meta.__unm(a) return -source_of(a) end

local value_row = { type = { "number", "field", "source", "image" } }

-- v as a number or a core field of f's shape.
local function operand(f, v, what)
	v = opts.value(value_row, v, what)
	if type(v) == "number" then return v end
	local class = getmetatable(v).__name
	if class == "mapwright.image" then v, class = source_of(v), "mapwright.source" end
	if class == "mapwright.source" then
		local out = cf.new(cf.shape(f))
		core.source.eval(v, out)
		return out
	end
	if f.w ~= v.w or f.h ~= v.h then
		errors.fail("%s: the fields differ in size: %d x %d and %d x %d samples; see 'resample'",
			what, f.w, f.h, v.w, v.h)
	end
	return v
end

--- A new field of any size and place.
---@param given mapwright.options.field.field
---@return mapwright.field
function M.field(given)
	local o = opts.check(schema.field, given)
	local f = cf.new(o.w, o.h, o.x, o.z, o.step, o.seed)
	return o.value == 0 and f or f:set(o.value)
end

--- The same, positional, for the library's own use.
function M.of_grid(w, h, x, z, step, seed)
	return cf.new(w, h, x, z, step, seed or 0)
end

--- Say where the samples lie.
---@param x number [unit: elmo] of the first column
---@param z number [unit: elmo] of the first row
---@param step number [unit: elmo]
---@param seed? integer
---@return mapwright.field
function Field:place(x, z, step, seed)
	cf.place(self, x, z, step, seed)
	return self
end

--- A new field with the same samples, place and seed.
---@return mapwright.field
function Field:copy() return cf.copy(self) end

-- ---- arithmetic --------------------------------------------------------------------------------

--- `set(value)` fills the field from a number, field or source; `set(i, j, value)` sets one sample.
---@param a number|mapwright.field|mapwright.source|mapwright.image|integer
---@param j? integer
---@param value? number
---@return mapwright.field
function Field:set(a, j, value)
	if j ~= nil then
		cf.put(self, a, j, value)
	else
		cf.apply(self, "set", operand(self, a, "field:set"))
	end
	return self
end

--- Add a number, field or source to each sample.
---@param v number|mapwright.field|mapwright.source|mapwright.image
---@return mapwright.field
function Field:add(v)
	cf.apply(self, "add", operand(self, v, "field:add"))
	return self
end

--- Subtract a number, field or source from each sample.
---@param v number|mapwright.field|mapwright.source|mapwright.image
---@return mapwright.field
function Field:sub(v)
	cf.apply(self, "sub", operand(self, v, "field:sub"))
	return self
end

--- Multiply each sample by a number, field or source.
---@param v number|mapwright.field|mapwright.source|mapwright.image
---@return mapwright.field
function Field:mul(v)
	cf.apply(self, "mul", operand(self, v, "field:mul"))
	return self
end

--- Divide each sample by a number, field or source.
---@param v number|mapwright.field|mapwright.source|mapwright.image
---@return mapwright.field
function Field:div(v)
	cf.apply(self, "div", operand(self, v, "field:div"))
	return self
end

--- The lesser of each sample and the value.
---@param v number|mapwright.field|mapwright.source|mapwright.image
---@return mapwright.field
function Field:min(v)
	cf.apply(self, "min", operand(self, v, "field:min"))
	return self
end

--- The greater of each sample and the value.
---@param v number|mapwright.field|mapwright.source|mapwright.image
---@return mapwright.field
function Field:max(v)
	cf.apply(self, "max", operand(self, v, "field:max"))
	return self
end

--- Go towards the value by the mask: 0 keeps the field, 1 takes the value.
---@param v number|mapwright.field|mapwright.source|mapwright.image
---@param mask number|mapwright.field|mapwright.source|mapwright.image
---@return mapwright.field
function Field:lerp(v, mask)
	local value = operand(self, v, "field:lerp")
	local weight = operand(self, mask, "field:lerp: the mask")
	if type(weight) == "number" then
		weight = cf.new(cf.shape(self))
		cf.apply(weight, "set", mask)
	end
	cf.lerp(self, value, weight)
	return self
end

--- Keep samples between two values.
---@param low number
---@param high number
---@return mapwright.field
function Field:clamp(low, high)
	low = opts.value({ name = "low", type = "number" }, low, "field:clamp")
	high = opts.value({ name = "high", type = "number" }, high, "field:clamp")
	if low > high then
		errors.fail("field:clamp: 'low' = %s is above 'high' = %s", opts.show(low), opts.show(high))
	end
	cf.clamp(self, low, high)
	return self
end

--- Make all samples positive.
---@return mapwright.field
function Field:abs()
	cf.abs(self)
	return self
end

--- Stretch to low..high (0..1).
---@param low? number
---@param high? number
---@return mapwright.field
function Field:normalise(low, high)
	low = opts.value({ name = "low", type = "number" }, low or 0, "field:normalise")
	high = opts.value({ name = "high", type = "number" }, high or 1, "field:normalise")
	cf.normalise(self, low, high)
	return self
end

--- Replace values by a table of points {from, to}: straight between them, or with `smooth = true` a
--- curve that never overshoots; flat beyond the ends.
---@param points number[][]|{smooth?: boolean}
---@return mapwright.field
function Field:curve(points)
	local xs, ys = {}, {}
	if type(points) ~= "table" or #points == 0 then
		errors.fail("field:curve: expected a list of pairs {from, to}, got %s", opts.show(points))
	end
	if points.smooth then
		return self:set(source_of(self):curve(points))
	end
	for i, p in ipairs(points) do
		local pair = opts.value({ name = ("[%d]"):format(i), type = "pair" }, p, "field:curve")
		xs[i], ys[i] = pair[1], pair[2]
		if i > 1 and xs[i] <= xs[i - 1] then
			errors.fail("field:curve: point %d is at %s, which does not rise above %s", i,
				opts.show(xs[i]), opts.show(xs[i - 1]))
		end
	end
	cf.curve(self, xs, ys)
	return self
end

--- Steps: `:terrace(40)`, `:terrace{ step = 40, soften = 0.3 }`, or
--- `:terrace{ levels = {0, 60, 90} }`.
---@param given number|mapwright.options.field.terrace
---@return mapwright.field
function Field:terrace(given)
	if type(given) == "number" then given = { step = given } end
	local o = opts.check(schema.terrace, given)
	if (o.step == nil) == (o.levels == nil) then
		errors.fail("field:terrace: give 'step' or 'levels'")
	end
	if o.levels then
		return self:set(source_of(self):terrace { levels = o.levels, soften = o.soften })
	end
	cf.terrace(self, o.step, o.offset, o.soften)
	return self
end

-- ---- the whole grid ----------------------------------------------------------------------------

--- Blur like a Gaussian with a standard deviation of half the radius.
---@param radius number [unit: elmo]
---@return mapwright.field
function Field:blur(radius)
	local row = { name = "radius", type = "number", min = 0, max = 1e6, unit = "elmo" }
	radius = opts.value(row, radius, "field:blur")
	cf.blur(self, radius / self.step)
	return self
end

--- Kind and number of sectors of a symmetry, as the core wants them.
function M.mirror_kind(mirror)
	if mirror == nil then return "none", 0 end
	if type(mirror) == "table" then return "turn", mirror.n end
	return mirror, 0
end

--- Make symmetric: the west half ("x"), the north half ("z", "point"), the north-west quarter
--- ("quad") or one sector of n ({n = 3}) is kept and repeated.
---@param mirror "x"|"z"|"point"|"quad"|{n: integer}
---@param given? mapwright.options.field.mirror
---@return mapwright.field
function Field:mirror(mirror, given)
	mirror = opts.value({ name = "mirror", type = "mirror" }, mirror, "field:mirror")
	local o = opts.check(schema.mirror, given)
	local kind, n = M.mirror_kind(mirror)
	if n > 16 then errors.fail("field:mirror: n = %d is outside 2..16", n) end
	cf.mirror(self, kind, n, o.soften / self.step)
	return self
end

--- A new field with another number of samples over the same ground; corners stay corners.
---@param given mapwright.options.field.resample
---@return mapwright.field
function Field:resample(given)
	local o = opts.check(schema.resample, given)
	local step = self.step * (self.w > 1 and o.w > 1 and (self.w - 1) / (o.w - 1) or 1)
	return cf.resample(self, o.w, o.h, o.kind, step)
end

--- A new field: steepness in degrees.
---@return mapwright.field
function Field:slope() return cf.slope(self) end

--- A new field: positive in hollows, negative on ridges.
---@return mapwright.field
function Field:curvature() return cf.curvature(self) end

--- A new field: what the engine's move classes look at, one sample for 2 x 2 squares.
---@return mapwright.field
function Field:engine_slope() return cf.engine_slope(self) end

--- Replace each sample by fn(value, x, z).
---@param fn fun(value: number, x: number, z: number): number
---@return mapwright.field
function Field:map(fn)
	cf.map(self, opts.value({ type = "function" }, fn, "field:map"))
	return self
end

-- field -> { kind -> how often it was eroded that way }, so that a second time differs
local eroded = setmetatable({}, { __mode = "k" })

local function erosion_seed(f, o)
	if o.seed then return o.seed end
	local before = eroded[f] or {}
	eroded[f] = before
	before[o.kind] = (before[o.kind] or 0) + 1
	local hash = core.base.hash(("erode %s %d"):format(o.kind, before[o.kind]))
	return f.seed ~ tonumber(hash:sub(1, 15), 16)
end

local erosion = {
	thermal = function(f, o)
		cf.erode_thermal(f, o.iterations, o.angle, o.rate)
	end,
	hydraulic = function(f, o)
		cf.erode_hydraulic(f, o.iterations, o.rain, o.variation, o.evaporation, o.capacity,
			o.dissolve, o.deposit, o.friction, erosion_seed(f, o))
	end,
	droplets = function(f, o)
		local radius = math.max(1, math.min(16, o.radius / f.step))
		cf.erode_droplets(f, o.count or f.w * f.h // 2, o.lifetime, radius, o.inertia,
			o.capacity, o.dissolve, o.deposit, o.evaporation, o.gravity, erosion_seed(f, o))
	end,
}

--- Wear the ground: `kind` is "thermal" (steep rock slides), "hydraulic" (rain on a grid) or
--- "droplets" (single drops, sharper gullies). The first two keep a symmetric field symmetric.
---@param given table options of its kind, and `kind`
---@return mapwright.field
function Field:erode(given)
	local kind = type(given) == "table" and tostring(given.kind) or ""
	local o = opts.check(schema["erode_" .. kind] or schema.erode_hydraulic, given)
	local mask = o.where and operand(self, o.where, "field:erode: 'where'")
	local before = mask and cf.copy(self)
	erosion[o.kind](self, o)
	if before then
		cf.lerp(before, self, mask)
		cf.apply(self, "set", before)
	end
	return self
end

-- ---- shapes ------------------------------------------------------------------------------------

local function disc_or_rect(at, o, what)
	local p = opts.value({ name = "at", type = "point" }, at, what)
	if o.radius and (o.width or o.depth) then
		errors.fail("%s: give 'radius' or 'width' and 'depth', not both", what)
	elseif o.radius then
		return "disc", { p.x, p.z, o.level or 0 }, o.radius
	elseif not o.width then
		errors.fail("%s: needs 'radius', or 'width' and 'depth'", what)
	end
	local w, d = o.width / 2, (o.depth or o.width) / 2
	return "rect", { p.x - w, p.z - d, o.level or 0, p.x + w, p.z + d, o.level or 0 }, 0
end

--- Press a disc or a rectangle around `at` to a level.
---@param at {x: number, z: number}
---@param given mapwright.options.field.stamp
---@return mapwright.field
function Field:stamp(at, given)
	local o = opts.check(schema.stamp, given)
	local kind, points, size = disc_or_rect(at, o, "field:stamp")
	cf.stamp(self, kind, points, size, o.mode, o.soften)
	return self
end

--- Level a site: a disc or a rectangle, to its own mean height or a given level.
---@param at {x: number, z: number}
---@param given mapwright.options.field.flatten
---@return mapwright.field
function Field:flatten(at, given)
	local o = opts.check(schema.flatten, given)
	local kind, points, size = disc_or_rect(at, o, "field:flatten")
	local level = o.level or cf.mean(self, kind, points, size)
	for i = 3, #points, 3 do points[i] = level end
	cf.stamp(self, kind, points, size, "level", o.soften)
	return self
end

-- Positions {x, z, level} flat; a level left out is the option's, or the field's own height there.
local function levelled(f, points, level, what)
	local flat = {}
	opts.value({ name = "points", type = "points" }, points, what)
	for i, p in ipairs(points) do
		local x, z, own = p.x or p[1], p.z or p[2], p.level or p[3]
		if own ~= nil then
			own = opts.value({ name = ("level of point %d"):format(i), type = "number" }, own, what)
		end
		table.move({ x, z, own or level or cf.at(f, x, z) }, 1, 3, #flat + 1, flat)
	end
	return flat
end

--- A band along a line of points {x, z} or {x, z, level}; between points the level is even.
---@param points table[] each {x = , z = , level = } or {x, z, level}
---@param given mapwright.options.field.path
---@return mapwright.field
function Field:path(points, given)
	local o = opts.check(schema.path, given)
	local flat = levelled(self, points, o.level, "field:path")
	cf.stamp(self, "path", flat, o.width, o.mode, o.soften)
	return self
end

--- The same; reads better for lines of one level.
---@param points table[] each {x = , z = } or {x, z}
---@param given mapwright.options.field.path
---@return mapwright.field
function Field:line(points, given)
	local o = opts.check(schema.path, given, "field:line")
	local flat = levelled(self, points, o.level, "field:line")
	cf.stamp(self, "path", flat, o.width, o.mode, o.soften)
	return self
end

--- A slope from one place to another, with straight ends.
---@param from table {x = , z = , level = }
---@param to table {x = , z = , level = }
---@param given mapwright.options.field.ramp
---@return mapwright.field
function Field:ramp(from, to, given)
	local o = opts.check(schema.ramp, given)
	local points = levelled(self, { from, to }, nil, "field:ramp")
	if points[1] == points[4] and points[2] == points[5] then
		errors.fail("field:ramp: both ends are at (%s, %s)", opts.show(points[1]),
			opts.show(points[2]))
	end
	cf.stamp(self, "ramp", points, o.width, o.mode, o.soften)
	return self
end

--- The area within a closed line of at least three points.
---@param points table[]
---@param given mapwright.options.field.polygon
---@return mapwright.field
function Field:polygon(points, given)
	local o = opts.check(schema.polygon, given)
	local flat = levelled(self, points, o.level, "field:polygon")
	if #flat < 9 then
		errors.fail("field:polygon: needs at least three points, got %d", #flat // 3)
	end
	flat[3] = o.level
	cf.stamp(self, "polygon", flat, 0, o.mode, o.soften)
	return self
end

-- ---- reading -----------------------------------------------------------------------------------

--- Value at a place, bilinear between samples.
---@param x number [unit: elmo]
---@param z number [unit: elmo]
---@return number
function Field:at(x, z) return cf.at(self, x, z) end

--- The engine's height at a place: two triangles between four vertices.
---@param x number [unit: elmo]
---@param z number [unit: elmo]
---@return number
function Field:height_at(x, z) return cf.height_at(self, x, z) end

--- Sample (i, j), counted from 0.
---@param i integer
---@param j integer
---@return number
function Field:get(i, j) return cf.get(self, i, j) end

--- Smallest and largest finite sample.
---@return number min
---@return number max
function Field:min_max()
	local low, high = cf.measure(self)
	return low, high
end

--- { min, max, mean, nan, inf }: of the finite samples, and how many are not.
---@return {min: number, max: number, mean: number, nan: integer, inf: integer}
function Field:measure()
	local low, high, mean, nan, inf = cf.measure(self)
	return { min = low, max = high, mean = mean, nan = nan, inf = inf }
end

--- Counts of samples in bins of equal width.
---@param given? mapwright.options.field.histogram
---@return integer[]
function Field:histogram(given)
	local o = opts.check(schema.histogram, given)
	local low, high = cf.measure(self)
	low, high = o.min or low, o.max or high
	if low >= high then
		if o.min and o.max then
			errors.fail("field:histogram: 'min' = %s is not below 'max' = %s", opts.show(low),
				opts.show(high))
		end
		high = low + 1
	end
	return cf.histogram(self, low, high, o.bins)
end

-- ---- quantizing --------------------------------------------------------------------------------

--- Heights as the words of a map: little-endian, row by row, by the engine's formula
--- (height - min_height) * 65536 / (max_height - min_height), rounded and clamped. The second
--- result tells what was clamped; that is also a warning.
---@param given mapwright.options.field.quantize
---@return string bytes
---@return {below: integer, above: integer, worst_below: number, worst_above: number} report
function M.quantize(given)
	local o = opts.check(schema.quantize, given)
	if o.max_height < o.min_height then
		errors.fail("quantize: 'max_height' = %s is below 'min_height' = %s",
			opts.show(o.max_height), opts.show(o.min_height))
	end
	local bytes, report = core.quantize.u16(o.field, o.min_height, o.max_height)
	M.warn_clipped(report, o.min_height, o.max_height, "quantize")
	return bytes, report
end

--- Warn when samples were clamped: how many, by how much, where first.
function M.warn_clipped(report, min_height, max_height, what)
	local n = report.below + report.above
	if n == 0 then return end
	local at = report.below_at or report.above_at
	if report.below_at and report.above_at then
		local b, a = report.below_at, report.above_at
		at = (b[2] < a[2] or (b[2] == a[2] and b[1] < a[1])) and b or a
	end
	local parts = {}
	if report.below > 0 then
		parts[#parts + 1] = ("%d below %s by up to %s"):format(report.below, opts.show(min_height),
			opts.show(report.worst_below))
	end
	if report.above > 0 then
		parts[#parts + 1] = ("%d above %s by up to %s"):format(report.above, opts.show(max_height),
			opts.show(report.worst_above))
	end
	core.log.put("warning", "height-clipped",
		("%s: %d height%s clamped to the range: %s; the first at sample (%d, %d)"):format(what, n,
			n == 1 and " was" or "s were", table.concat(parts, ", "), at[1], at[2]))
end

require "mapwright.util.guard" (Field, "mapwright.field", cf.meta)

return M
