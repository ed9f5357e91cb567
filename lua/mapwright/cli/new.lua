--- `mapwright new`: start a project that builds at once.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local lfs = require "lfs"
local term = require "mapwright.cli.term"

local templates = {}

templates.bar = [[
-- %s: a Beyond All Reason map. Build it with `mapwright build`.
local mw = require "mapwright"

-- 8 x 8 map units = 4096 x 4096 elmos; below 0 is water.
local land = mw.terrain{ map_units = {8, 8}, min_height = -100, max_height = 400, seed = 1 }

land.height
	:add(mw.noise.ridged{ period = 1600, octaves = 5, amplitude = 220 } - 60)
	:mirror "point"
	:blur(16)

land:start{ x = 700, z = 700, mirror = "point" }
for _, at in ipairs(land.starts) do
	land.height:stamp(at, { radius = 360, level = 60, soften = 180 })
end

land:metal_spot{ x = 560, z = 760, metal = 2, mirror = "point" }
land:metal_spot{ x = 840, z = 620, metal = 2, mirror = "point" }

land:ground{ layers = {
	{ color = "#6d7a4a" },
	{ color = "#8a8578", slope_above = 30, soften = 8 },
	{ color = "#c9b98a", below = 14, soften = 8 },
} }

mw.target.bar{
	out = "%s.sd7", terrain = land,
	info = { name = "%s", author = "you", version = "1.0", description = "A new map",
		maxMetal = 1.0, extractorRadius = 90, gravity = 130, tidalStrength = 15,
		atmosphere = { minWind = 5, maxWind = 20 },
		lighting = { sunDir = {0.4, 0.8, 0.3} } },
}
]]

templates.level = [[
-- %s: a level of brushes. Build it with `mapwright build`.
local mw = require "mapwright"

-- Lengths are metres: x runs east, y up, z south.
local level = mw.scene{ name = "%s", units_per_metre = 1, grid = 0.25 }
local stone = level:material{ name = "stone", texture = "stone.png", color = "#a89c88",
	tile = {2, 2} }
local wood = level:material{ name = "wood", texture = "wood.png", color = "#8a6a48" }

-- Two rooms that share a wall, and a doorway through it.
local doorway = mw.box{ min = {7.75, 0, 2.25}, max = {8.5, 2.25, 3.75} }
for _, x in ipairs{ 0, 8.25 } do
	level:add(mw.room{ min = {x, 0, 0}, max = {x + 8, 3, 6}, wall = 0.25, material = stone }
		:subtract(doorway))
end

-- Pillars are boxes, crates are boxes turned a little.
for _, x in ipairs{ 3, 6 } do
	level:add(mw.box{ min = {x - 0.25, 0, 1.75}, max = {x + 0.25, 3, 2.25}, material = stone })
end
level:add(mw.box{ min = {12, 0, 4}, max = {13, 1, 5}, material = wood }
	:turn{ yaw = 20, about = {12.5, 0, 4.5} })

level:player_start{ at = {1, 0, 3}, yaw = -90 } -- looks east
level:light{ at = {4.5, 2.6, 4}, radius = 8, color = "#ffd9a0", intensity = 1.2 }
level:light{ at = {12, 2.6, 3}, radius = 8, color = "#a0c0ff" }

mw.target.hmap{ out = "%s.hmap", scene = level, bake_light = true, light_grid = 0.5 }
mw.target.quake_map{ out = "%s.map", scene = level, units_per_metre = 32 }
]]

-- Where this program's definitions for editors are: of the place it is installed in, or of the
-- checkout it was built in. Nil where neither has any, or the system does not tell where we are.
local function definitions()
	local program = lfs.symlinkattributes("/proc/self/exe", "target")
	local here = program and program:match "^(/.*)/[^/]*$"
	if not here then return nil end
	local above = here:match "^(.*)/[^/]*$"
	local places = { above .. "/share/mapwright/lua", above:match "^(.*)/build$" }
	if places[2] then places[2] = places[2] .. "/lua" end
	for _, place in ipairs(places) do
		if core.fs.kind(place .. "/meta") == "folder" then return place end
	end
	return nil
end

local function luarc()
	local place = definitions()
	return core.base.json_write({ __keys = { "runtime.version", "workspace.library" },
		["runtime.version"] = "Lua 5.4", ["workspace.library"] = place and { place } }, 2) .. "\n"
end

return {
	summary = "start a project that builds at once",
	usage = "DIR [--template=bar|level]",
	operands = { 1, 1 },
	operand_name = "a folder to make",
	options = {
		{ "--template", arg = "NAME", key = "template", enum = { "bar", "level" },
			doc = "what to start with: bar, a map for Beyond All Reason (default), or\n"
				.. (" "):rep(29) .. "level, a level of brushes" },
	},
	run = function(options, operands)
		local dir = operands[1]:gsub("(.)/+$", "%1")
		if core.fs.kind(dir .. "/build.lua") then
			errors.raise("invalid", "%s/build.lua exists already", dir)
		end
		local name = dir:match "([^/]*)$":gsub("[^%w_%-]+", "_"):lower()
		if name == "" or name == "_" then name = "my_map" end
		local title = name:gsub("[_%-]+", " "):gsub("%f[%w]%l", string.upper)
		local template = options.template or "bar"
		local words = template == "bar" and { title, name, title } or { title, title, name, name }
		core.fs.write(dir .. "/build.lua", templates[template]:format(table.unpack(words)))
		core.fs.write(dir .. "/.luarc.json", luarc())
		term.say("%s/build.lua made; build it with: mapwright build %s", dir, dir)
		return 0
	end,
}
