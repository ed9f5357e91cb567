--- `mapwright query`: what is at a point of a level, and what a ray runs into.
local contents = require "mapwright.contents"
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local format = require "mapwright.format"
local term = require "mapwright.cli.term"

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

local kinds = { point = 3, ray = 6 }

return {
	summary = "ask a level what is at a point or in the way of a ray",
	usage = "LEVEL point X Y Z | LEVEL ray X Y Z X Y Z [--box HX,HY,HZ] [--mask NAMES] [--json]",
	operands = { 2, 8 },
	operand_name = "a level and a question",
	numbers = true, -- -1 is an operand
	options = {
		{ "--box", arg = "HX,HY,HZ", key = "box",
			pattern = "^[%d.e+-]+,[%d.e+-]+,[%d.e+-]+$", doc = "move a box of these half sizes" },
		{ "--mask", arg = "NAMES", key = "mask", doc = "contents that stop a ray (default solid)" },
		{ "--json", key = "json", doc = "one JSON document" },
	},
	run = function(options, operands)
		local kind, v = operands[2], {}
		local want = kinds[kind]
		for i = 3, #operands do
			v[i - 2] = tonumber(operands[i])
			if not v[i - 2] or v[i - 2] - v[i - 2] ~= 0 then want = nil end
		end
		if not want or #operands - 2 ~= want then
			term.error "query: the question is 'point X Y Z' or 'ray X Y Z X Y Z'"
			io.stderr:write "Try 'mapwright query --help'.\n"
			return 2
		end
		local half, mask = { 0, 0, 0 }, { "solid" }
		if options.box then
			for i, part in ipairs { options.box:match "^([^,]+),([^,]+),([^,]+)$" } do
				half[i] = tonumber(part)
				if not half[i] or half[i] < 0 then
					term.error("query: --box: '%s' is no size", part)
					return 2
				end
			end
		end
		if options.mask then
			mask = {}
			for name in options.mask:gmatch "[^,]+" do mask[#mask + 1] = name end
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
