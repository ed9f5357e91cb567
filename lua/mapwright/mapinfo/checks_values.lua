--- Checks of what the values mean: name and files, metal, heights, starts, terrain types, light,
--- water.
local core = require "mapwright.core"
local convert = require "mapwright.mapinfo.convert"
local eval = require "mapwright.mapinfo.eval"
local keys = require "mapwright.mapinfo.checks_keys"

local M = {}

local number = core.base.number_text

local function quoted(v) return ("'%s'"):format(v) end

-- ---- name, version, files --------------------------------------------------------------

local function names(c)
	local info = c.info
	local name, version = info.name, info.version
	if c.result.loaded.tdf then return end
	if name == nil or name == "" then
		c.report("name-missing", name == "" and "name" or nil,
			"there is no name%s: the engine does not list the map", name == "" and " (it is empty)" or "")
	elseif type(name) == "number" then
		c.report("name-not-string", "name",
			"the name is the number %s: the engine makes '%s' of it; put it in"
			.. " quotes", number(name), ("%f"):format(name),
			{ fix = keys.replacement(c, "name", '"' .. number(name) .. '"') })
	elseif type(name) == "string" then
		if name:find(";", 1, true) then
			c.report("name-semicolon", "name",
				"the name '%s' holds ';', which no start script can say: the map"
				.. " cannot be played", name)
		end
		if type(version) == "string" and version ~= "" and name:find(version, 1, true) then
			c.report("version-in-name", "version", "the name '%s' holds the version '%s' already: the engine"
				.. " appends none, the archive is '%s'", name, version, name)
		end
	end
	if type(version) == "number" then
		c.report("numeric-version", "version", "the version is a number: the engine calls the map '%s';"
			.. " write \"%s\"", eval.listed_name(c.site, { info = info }) or ("%f"):format(version),
			number(version), { value = true,
				fix = keys.replacement(c, "version", '"' .. number(version) .. '"') })
	end
	if info.modtype == nil then
		c.report("modtype-missing", nil, "modtype is not set; a map writes modtype = 3")
	elseif convert.int(info.modtype) ~= 3 then
		c.report("modtype-not-map", "modtype",
			"modtype = %s, a map is 3: the engine takes 3 because of the"
			.. " .smf", keys.short(info.modtype), { value = true,
				fix = keys.replacement(c, "modtype", "3") })
	end
	for i, other in ipairs(type(info.depend) == "table" and info.depend or {}) do
		if type(other) == "string" and not other:lower():match "^map helper" then
			c.report("depend-unknown", ("depend[%d]"):format(i),
				"depends on '%s': the map does not load where that archive is not there", other)
		end
	end
end

local function files(c)
	local site, mapfile = c.site, c.info.mapfile
	local smfs = site.smfs
	if c.result.loaded.tdf then return end
	if site.whole and #smfs == 0 then
		c.report("smf-missing", nil, "there is no .smf: the archive is no map")
		return
	end
	if type(mapfile) ~= "string" or mapfile == "" then
		if #smfs > 1 and not site.only_smf then
			local list = {}
			for i, name in ipairs(smfs) do list[i] = site.real[name] end
			c.report("smf-ambiguous", nil, "mapfile is not set and there are %d .smf (%s): the engine takes"
				.. " the first it finds", #smfs, table.concat(list, ", "))
		else
			c.report("mapfile-missing", nil, "mapfile is not set: the engine takes the first .smf it finds;"
				.. " write mapfile = \"%s\"", smfs[1] and site.real[smfs[1]] or "maps/NAME.smf")
		end
	elseif site.whole and not site.only_smf then
		local low = mapfile:gsub("\\", "/"):lower()
		local real = site.real[low]
		if not real then
			c.report("mapfile-not-found", "mapfile",
				"mapfile '%s' is not there%s: the engine cannot open the"
				.. " map and crashes", mapfile, smfs[1] and "; there is " .. quoted(site.real[smfs[1]]) or "",
				{ value = true })
		elseif real ~= mapfile then
			c.report("mapfile-case", "mapfile", "mapfile '%s' is '%s' in the archive: the engine finds it,"
				.. " other tools may not", mapfile, real, { value = true,
					fix = keys.replacement(c, "mapfile", '"' .. real .. '"') })
		end
	end
	for _, name in ipairs(smfs) do
		if not name:match "^maps/" and site.whole and not site.only_smf then
			c.report("smf-outside-maps", { file = site.real[name] },
				"the .smf is not in maps/: its tile file is looked for beside it")
		end
	end
end

-- ---- metal, heights --------------------------------------------------------------------

local function metal(c)
	local info, map = c.info, c.map
	local max_metal, radius = convert.float(info.maxmetal), convert.float(info.extractorradius)
	local stats = map and map.smf:stats "metal"
	local empty = stats and stats.nonzero == 0
	if (max_metal == nil or math.abs(max_metal - 0.02) < 1e-6) and not empty then
		c.report("max-metal-default", info.maxmetal ~= nil and "maxmetal" or nil,
			"maxMetal %s: the engine %s 0.02, a metal map gives next to nothing",
			info.maxmetal ~= nil and "is 0.02, its default" or "is not set",
			info.maxmetal ~= nil and "takes" or "uses")
	end
	if radius == nil or radius == 500 then
		c.report("extractor-radius-default", radius and "extractorradius" or nil,
			"extractorRadius %s: the engine uses 500 elmos, an extractor covers most of a small map",
			radius and "is 500, its default" or "is not set")
	end
	if empty and (max_metal or 0.02) > 0 and not c.site.real["mapconfig/map_metal_layout.lua"] then
		c.report("metal-unused", info.maxmetal ~= nil and "maxmetal" or nil,
			"the metal map of %s is empty: maxMetal has nothing to multiply", map.file)
	elseif stats and not empty and c.site.real["mapconfig/map_metal_layout.lua"] then
		c.report("metal-layout-ignored", { file = c.site.real["mapconfig/map_metal_layout.lua"] },
			"the metal map has %d cells with metal: the game then ignores this layout", stats.nonzero)
	end
end

local function near(a, b) return math.abs(a - b) <= 1e-3 * math.max(1, math.abs(a), math.abs(b)) end

local function heights(c)
	local smf = type(c.info.smf) == "table" and c.info.smf or {}
	local low, high = convert.float(smf.minheight), convert.float(smf.maxheight)
	if (low == nil) ~= (high == nil) then
		c.report("height-override-partial", low and "smf.minheight" or "smf.maxheight",
			"only smf.%s is set: the other end stays that of the .smf",
			low and "minHeight" or "maxHeight")
	end
	if low and high and high < low then
		c.report("height-inverted", "smf.maxheight",
			"smf.maxHeight = %s is below minHeight = %s: the terrain is"
			.. " turned over, the value 0 is %s and 65535 nearly %s", number(high), number(low), number(low),
			number(high))
	elseif low and low == high then
		c.report("height-flat", "smf.maxheight",
			"smf.minHeight and maxHeight are both %s: the ground is flat",
			number(low))
	end
	local map = c.map
	if not map then return end
	local head = map.info
	if low and high and not (near(low, head.min_height) and near(high, head.max_height))
		and not (head.min_height == 0 and (head.max_height == 0 or head.max_height == 1)) then
		c.report("height-header-mismatch", "smf.minheight",
			"smf says %s..%s, %s says %s..%s: the game takes"
			.. " the former, older tools show the latter", number(low), number(high), map.file,
			number(head.min_height), number(head.max_height))
	end
	local stats = map.smf:stats "height"
	local a, b = low or head.min_height, high or head.max_height
	if not stats or a ~= a or b ~= b then return end
	local top = math.max(core.smf.height_of(a, b, stats.min), core.smf.height_of(a, b, stats.max))
	local bottom = math.min(core.smf.height_of(a, b, stats.min), core.smf.height_of(a, b, stats.max))
	if top < 0 and not c.effective()["voidwater"].value then
		c.report("height-all-underwater", { file = map.file },
			"the highest ground is at %.1f: all of it is"
			.. " under water", top)
	end
	if top - bottom > 10000 then
		c.report("height-range-large", { file = map.file }, "heights span %.0f elmos", top - bottom)
	end
	c.lowest, c.highest = bottom, top
end

-- ---- start positions -------------------------------------------------------------------

local function distance(a, b) return math.sqrt((a.x - b.x) ^ 2 + (a.z - b.z) ^ 2) end

-- Steepest rise from a point to the ground 64 elmos around it.
local function slope_at(map, x, z)
	local here, most = map.ground(x, z), 0
	for i = 0, 7 do
		local dx, dz = 64 * math.cos(i * math.pi / 4), 64 * math.sin(i * math.pi / 4)
		local px = math.min(math.max(x + dx, 0), map.width)
		local pz = math.min(math.max(z + dz, 0), map.depth)
		most = math.max(most, math.abs(map.ground(px, pz) - here) / 64)
	end
	return most
end

local function metal_near(map, x, z, radius)
	local bytes, width, depth = map.metal()
	if not bytes then return true end
	local x0, x1 = math.max(0, (x - radius) // 16), math.min(width - 1, (x + radius) // 16)
	local z0, z1 = math.max(0, (z - radius) // 16), math.min(depth - 1, (z + radius) // 16)
	for row = math.tointeger(z0), math.tointeger(z1) do
		local from = row * width + math.tointeger(x0) + 1
		local to = row * width + math.tointeger(x1) + 1
		if from <= to and bytes:sub(from, to):find "[^%z]" then return true end
	end
	return false
end

local function on_the_ground(c, i, p)
	local map = c.map
	if not map then return end
	local path = ("teams[%d].startpos"):format(i)
	if p.x < 0 or p.x > map.width or p.z < 0 or p.z > map.depth then
		c.report("startpos-outside", path,
			"the start of team %d at (%s, %s) is outside the map (0..%d, 0..%d"
			.. " elmos): it is moved to the edge", i, number(p.x), number(p.z), map.width, map.depth)
		return
	end
	if not map.has_heights then return end
	local y = map.ground(p.x, p.z)
	if y < 0 and not c.effective()["voidwater"].value then
		c.report("startpos-underwater", path,
			"the start of team %d at (%s, %s) is %.0f elmos under water", i,
			number(p.x), number(p.z), -y)
	end
	local slope = slope_at(map, p.x, p.z)
	if slope > 0.5 then
		c.report("startpos-steep", path,
			"the start of team %d at (%s, %s) is on a slope of %.0f degrees", i,
			number(p.x), number(p.z), math.deg(math.atan(slope)))
	end
	local stats = map.smf:stats "metal"
	if stats and stats.nonzero > 0 and not metal_near(map, p.x, p.z, 700) then
		c.report("startpos-no-metal", path, "no metal within 700 elmos of the start of team %d", i)
	end
end

-- Positions as the engine counts them, from 0 to the first gap.
local function counted(teams)
	local out, i = {}, 0
	while type(teams[i]) == "table" and type(teams[i].startpos) == "table" do
		local p = teams[i].startpos
		out[#out + 1] = { i = i, x = convert.float(p.x) or 0, z = convert.float(p.z) or 0,
			has_x = convert.float(p.x), has_z = convert.float(p.z), keyed = p }
		i = i + 1
	end
	return out
end

local function numbering(c, teams, list)
	local numbers, texts = {}, {}
	for _, k in ipairs(eval.keys(teams)) do
		local has = type(teams[k]) == "table" and type(teams[k].startpos) == "table"
		if has and math.type(k) == "integer" then numbers[#numbers + 1] = k end
		if has and type(k) == "string" and tonumber(k) then texts[#texts + 1] = k end
	end
	if texts[1] then
		c.report("teams-string-keys", "teams." .. texts[1],
			"teams has the text '%s' as a key, which is not"
			.. " [%s]: the engine does not find this start position", texts[1], texts[1])
	end
	if #numbers > 0 and #list == 0 then
		c.report("startpos-from-one", ("teams[%d]"):format(numbers[1]), "teams count from %d, the engine"
			.. " from 0: it finds no start position at all; write [0]", numbers[1])
	elseif #numbers > #list then
		local after
		for _, n in ipairs(numbers) do
			if n > #list and not after then after = n end
		end
		if after then
			c.report("startpos-gap", ("teams[%d]"):format(after), "team %d has no start position although"
				.. " team %d has one: the engine stops counting at %d", #list, after, #list)
		end
	elseif #list == 0 and #texts == 0 then
		c.report("startpos-none", next(teams) ~= nil and "teams" or nil, "there are no start positions")
	end
end

local function starts(c)
	local teams = type(c.info.teams) == "table" and c.info.teams or {}
	local list = counted(teams)
	numbering(c, teams, list)
	local radius = convert.float(c.info.extractorradius)
	for n, p in ipairs(list) do
		local path = ("teams[%d].startpos"):format(p.i)
		if not p.has_x or not p.has_z then
			c.report("startpos-missing-axis", path, "the start of team %d has no %s: the engine takes 0%s",
				p.i,
				not p.has_x and (p.has_z and "x" or "x and no z") or "z",
				p.keyed[1] ~= nil and "; write {x = , z = }" or "")
		else
			on_the_ground(c, p.i, p)
		end
		for k = 1, n - 1 do
			local q = list[k]
			local d = distance(p, q)
			if d == 0 or (radius and radius ~= 500 and d < 2 * radius) then
				local entry = c.find(("teams[%d].startpos"):format(q.i))
				c.report("startpos-too-close", path, d == 0
					and "teams %d and %d share the start position (%s, %s)"
					or "teams %d and %d start at (%s, %s) and near it: %s elmos apart, less than two extractor"
						.. " radii", q.i, p.i, number(p.x), number(p.z), number(math.floor(d)),
					{ related = entry and { { entry, ("team %d"):format(q.i) } } or nil })
				break
			end
		end
	end
end

-- ---- terrain types ---------------------------------------------------------------------

local function terrain_types(c)
	local types = type(c.info.terraintypes) == "table" and c.info.terraintypes or {}
	local declared, text, least = {}, nil, nil
	for _, k in ipairs(eval.keys(types)) do
		if type(k) == "string" then
			if tonumber(k) then text = text or k end
		elseif math.type(k) ~= "integer" or k < 0 or k > 255 then
			c.report("terraintype-index-range", ("terraintypes[%s]"):format(number(k)),
				"terrain type %s is outside 0..255: no cell can have it", number(k))
		else
			declared[k] = true
			least = least or k
		end
	end
	if text then
		c.report("terraintypes-string-keys", "terraintypes." .. text,
			"terrainTypes has the text '%s' as a key,"
			.. " which is not [%s]: the type takes the defaults", text, text)
	end
	local positional = c.find "terraintypes[1]"
	if least == 1 and positional and positional.field and positional.field.kind == "position" then
		c.report("terraintypes-from-one", "terraintypes[1]",
			"terrain types are written without [0] =, so the"
			.. " first is 1: every type is the next one's, 0 has the defaults")
	end
	local used = c.map and c.map.used_types()
	if not used then return end
	local missing, unused = {}, {}
	for k = 0, 255 do
		if used[k] and not declared[k] and (k > 0 or next(declared)) then missing[#missing + 1] = k end
		if declared[k] and not used[k] then unused[#unused + 1] = k end
	end
	if #missing > 0 then
		c.report("terraintype-undeclared", "terraintypes",
			"the type map uses %s, which terrainTypes does not"
			.. " declare: defaults are taken", table.concat(missing, ", "))
	end
	for _, k in ipairs(unused) do
		c.report("terraintype-unused", ("terraintypes[%d]"):format(k), "no cell has terrain type %d", k)
	end
end

-- ---- light, fog, water -----------------------------------------------------------------

local function light(c)
	local list = c.effective()
	local sun, given = list["lighting.sundir"], convert.get(c.info, "lighting.sundir")
	if sun.from == "file" then
		if sun.value[4] > 10 then
			local entry = c.find "lighting.sundir[4]"
			c.report("sundir-w-legacy", entry and "lighting.sundir[4]" or "lighting.sundir",
				"the fourth number of sunDir is %s: it was the sun's distance and is its intensity now; take it"
				.. " away", number(sun.value[4]),
				{ fix = entry and keys.replacement(c, "lighting.sundir[4]", "1.0") })
		end
		if sun.value[2] <= 0 then
			c.report("sundir-horizontal-or-below", "lighting.sundir", "sunDir points %s the horizon"
				.. " (its second number is %s)", sun.value[2] == 0 and "along" or "below",
				type(given) == "table" and keys.short(given[2]) or "0")
		end
	end
	local from, to = list["atmosphere.fogstart"], list["atmosphere.fogend"]
	if (from.from == "file" or to.from == "file") and (from.value >= to.value or from.value > 1
		or to.value > 1) then
		local path = to.from == "file" and (to.value > 1 or from.from ~= "file") and to.path or from.path
		c.report("fog-range", path, "fogStart = %s and fogEnd = %s: %s", number(from.value),
			number(to.value), from.value >= to.value and "there is nothing between them"
			or "they are shares of the view range, 0..1")
	end
end

local function water(c)
	local list, info = c.effective(), c.info
	local plane = convert.get(info, "water.planecolor")
	if plane ~= nil then
		if list["voidwater"].value then
			c.report("water-plane-accident", "water.planecolor",
				"planeColor turns the plane around the map on,"
				.. " and voidWater takes the water away")
		elseif c.lowest and c.lowest >= 0 and not list["water.forcerendering"].value then
			c.report("water-plane-accident", "water.planecolor",
				"planeColor turns the plane of water around the"
				.. " map on, and no ground is below 0 (the lowest is at %.0f)", c.lowest)
		end
	end
	local damage = list["water.damage"]
	if damage.value >= 1000 then
		c.report("water-damage-pathing", "water.damage",
			"damage = %s: from %s on land units find no way through"
			.. " water", number(damage.value), damage.value >= 10000 and "10000" or "1000")
	end
	local low, high = list["water.fresnelmin"], list["water.fresnelmax"]
	if low.from == "file" or high.from == "file" then
		local sum = low.value + high.value
		if sum > 1.0001 then
			c.report("water-fresnel-saturates", high.from == "file" and high.path or low.path,
				"fresnelMin %s + fresnelMax %s = %s is above 1: they are added, reflection is full too early",
				number(low.value), number(high.value), number(math.floor(sum * 1000 + 0.5) / 1000))
		end
	end
end

function M.run(c)
	if not c.info then return end
	names(c)
	files(c)
	if c.result.absent then return end
	metal(c)
	heights(c)
	starts(c)
	terrain_types(c)
	light(c)
	water(c)
end

return M
