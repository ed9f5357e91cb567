--- `mapwright query`: what is at a point of a level, what a ray runs into, where it leaks.
local contents = require "mapwright.contents"
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local format = require "mapwright.format"
local term = require "mapwright.cli.term"

-- Levels are float32; squares of lengths stay numbers.
local FAR = 1e30

-- for people: what rounding left in the last digits is not shown (--json has all of them)
local function number(v) return core.base.number_text(tonumber(("%.12g"):format(v))) end

-- query, solid of a number; compiled now where the file is not
local function open(path)
	local row = format.of(path)
	if row.query then return row.query(path) end
	if row.load then return require "mapwright.format.hmap".query_scene(row.load(path)) end
	errors.raise("unsupported", "%s: a %s cannot be asked", path, row.title)
end

local function names(bits)
	local list = contents.names(bits)
	return list[1] and table.concat(list, ", ") or "empty"
end

local function point(q, solid, v)
	local bits, tested, inside = q:contents(v[1], v[2], v[3])
	local ids = {}
	for i, k in ipairs(inside) do ids[i] = solid(k).source end
	return {
		__keys = { "contents", "solid", "brushes", "tested" },
		contents = contents.names(bits), solid = bits & 1 ~= 0, brushes = ids, tested = tested,
	}, function(out)
		print("contents: " .. names(bits))
		print("brushes: " .. (ids[1] and table.concat(out.brushes, ", ") or "none"))
		print("tested: " .. tested)
	end
end

local function ray(q, solid, v, half, mask)
	local t, k, inside, nx, ny, nz = q:sweep(v[1], v[2], v[3], v[4], v[5], v[6], half[1], half[2],
		half[3], mask)
	local out = { __keys = { "hit", "t", "distance", "at", "brush", "contents", "normal",
		"inside" }, hit = k ~= nil }
	local length = 0
	for i = 1, 3 do length = length + (v[i + 3] - v[i]) ^ 2 end
	if k then
		out.t, out.distance, out.inside = t, t * math.sqrt(length), inside
		out.at = {}
		for i = 1, 3 do out.at[i] = v[i] + (v[i + 3] - v[i]) * t end
		out.brush, out.contents = solid(k).source, contents.names(solid(k).contents)
		out.normal = nx and { nx, ny, nz } or nil
	end
	return out, function()
		if not k then
			print "hit: none"
			return
		end
		print(("hit: brush %d (%s)"):format(out.brush, names(solid(k).contents)))
		print(("at: %s %s %s"):format(number(out.at[1]), number(out.at[2]), number(out.at[3])))
		print("distance: " .. number(out.distance))
		print(inside and "starts inside" or ("normal: %s %s %s"):format(number(nx), number(ny),
			number(nz)))
	end
end

-- A result without its own list of keys' nils.
local function compact(out)
	local list = {}
	for _, key in ipairs(out.__keys) do
		if out[key] ~= nil then list[#list + 1] = key end
	end
	out.__keys = list
	return out
end

-- Coordinates as editors read them.
local function place(p, form)
	local out = {}
	for i = 1, 3 do
		out[i] = (form or "%.3f"):format(p[i]):gsub("0+$", ""):gsub("%.$", ""):gsub("^%-0$", "0")
	end
	return table.concat(out, " ")
end

-- The same on a leak's line, where what is below a hundredth comes of the gap that is allowed.
local function on_line(p) return place(p, "%.2f") end

-- A point file: points along a line, at most step apart (of a very long line only so many).
local MOST_POINTS = 100000

local function write_points(path, line, step)
	local length, out = 0, { on_line(line[1]) .. "\n" }
	local function distance(a, b)
		return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
	end
	for i = 2, #line do length = length + distance(line[i - 1], line[i]) end
	step = math.max(step, length / MOST_POINTS)
	for i = 2, #line do
		local a, b = line[i - 1], line[i]
		local n = math.max(1, math.ceil(distance(a, b) / step))
		for k = 1, n do
			local p = {}
			for c = 1, 3 do p[c] = a[c] + (b[c] - a[c]) * (k / n) end
			out[#out + 1] = on_line(p) .. "\n"
		end
	end
	core.fs.write(path, table.concat(out))
end

-- Points are at most a quarter of a metre apart: 8 units of a .map.
local POINTS_PER_METRE = 4

local function describe(e)
	return ("%d (%s) at %s%s"):format(e.index, e.classname, place(e.at),
		e.where and ", " .. e.where or "")
end

-- Exit status 0 when it is certain that nothing gets outside.
local function leak(path, options)
	local row = format.of(path)
	if not row.leak then errors.raise("unsupported", "%s: a %s cannot be asked", path, row.title) end
	local r = row.leak(path, options.gap or 0.001)
	local out = { __keys = { "leaks", "asked", "in_solid", "sealing", "gap", "entity", "line" },
		leaks = r.entity ~= nil, asked = r.asked, in_solid = r.in_solid, sealing = r.sealing,
		gap = options.gap or 0.001, entity = r.entity, line = r.line }
	if options.out and r.line then
		write_points(options.out, r.line, r.units_per_metre / POINTS_PER_METRE)
	elseif options.out then
		os.remove(options.out) -- the leak of an earlier day
	end
	return out, function()
		if r.entity then
			print("leak: from entity " .. describe(r.entity))
			print "line:"
			for _, p in ipairs(r.line) do print("  " .. on_line(p)) end
		elseif r.asked > 0 then
			print(("leak: none (%d %s)"):format(r.asked, r.asked == 1 and "entity" or "entities"))
		else
			print(r.in_solid[1] and "leak: unknown, every entity is in a solid"
				or "leak: unknown, there is no entity to start from")
		end
		for _, e in ipairs(r.in_solid) do print("in solid: entity " .. describe(e)) end
	end, (r.entity or r.asked == 0) and 1 or 0
end

local kinds = { point = 3, ray = 6, leak = 0 }

return {
	summary = "ask a level what is at a point or in the way of a ray, or where it leaks",
	usage = "LEVEL point X Y Z | LEVEL ray X Y Z X Y Z [--box HX,HY,HZ] [--mask NAMES] [--json]"
		.. " | LEVEL leak [--gap WIDTH] [-o FILE.pts] [--json]",
	operands = { 2, 8 },
	operand_name = "a level and a question",
	numbers = true, -- -1 is an operand
	options = {
		{ "--box", arg = "HX,HY,HZ", key = "box",
			pattern = "^[%d.e+-]+,[%d.e+-]+,[%d.e+-]+$", doc = "move a box of these half sizes" },
		{ "--mask", arg = "NAMES", key = "mask", doc = "contents that stop a ray (default solid)" },
		{ "--gap", arg = "WIDTH", key = "gap", kind = "number", min = 0, max = 1024,
			doc = "narrower gaps between brushes do not leak (default 0.001; 0: all do)" },
		{ "-o", "--out", arg = "FILE.pts", key = "out", pattern = "%.[pP][tT][sS]$",
			doc = "write the leak's line as points; without a leak the file is removed" },
		{ "--json", key = "json", doc = "one JSON document" },
	},
	notes = "'leak' looks for a way from an entity to the outside of all brushes and exits with 1\n"
		.. "when there is one, or no entity to start from. Solid and sky brushes of the world\n"
		.. "close space; water, clips, triggers, detail, meshes and brushes of entities do not.",
	run = function(options, operands)
		local kind, v = operands[2], {}
		local want = kinds[kind]
		for i = 3, #operands do
			v[i - 2] = tonumber(operands[i])
			if not v[i - 2] or v[i - 2] ~= v[i - 2] then want = nil end
		end
		if not want or #operands - 2 ~= want then
			term.error "query: the question is 'point X Y Z', 'ray X Y Z X Y Z' or 'leak'"
			io.stderr:write "Try 'mapwright query --help'.\n"
			return 2
		end
		for _, x in ipairs(v) do
			if math.abs(x) > FAR then
				term.error("query: %g is outside -%g..%g", x, FAR, FAR)
				return 2
			end
		end
		local half, mask = { 0, 0, 0 }, { "solid" }
		if options.box then
			for i, part in ipairs { options.box:match "^([^,]+),([^,]+),([^,]+)$" } do
				half[i] = tonumber(part)
				if not half[i] or half[i] < 0 or half[i] > FAR then
					term.error("query: --box: '%s' is no size", part)
					return 2
				end
			end
		end
		if options.mask then
			mask = {}
			for name in options.mask:gmatch "[^,]+" do mask[#mask + 1] = name end
		end
		if kind == "leak" then
			local out, say, status = leak(operands[1], options)
			if options.json then print(core.base.json_write(compact(out), 2)) else say() end
			return status
		end
		local q, solid = open(operands[1])
		local out, say
		if kind == "point" then
			out, say = point(q, solid, v)
		else
			out, say = ray(q, solid, v, half, contents.bits(mask, "query: --mask"))
		end
		if options.json then
			print(core.base.json_write(compact(out), 2))
		else
			say(out)
		end
		return 0
	end,
}
