--- `mapwright new`: start a project that builds at once.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
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

local luarc = [[
{
  "runtime.version": "Lua 5.4",
  "workspace.library": ["%s"],
  "diagnostics.globals": []
}
]]

return {
	summary = "start a project that builds at once",
	usage = "DIR [--template=bar]",
	operands = { 1, 1 },
	operand_name = "a folder to make",
	options = {
		{ "--template", arg = "NAME", key = "template", enum = { "bar" },
			doc = "what to start with: bar" },
	},
	run = function(options, operands)
		local dir = operands[1]:gsub("(.)/+$", "%1")
		if core.fs.kind(dir .. "/build.lua") then
			errors.raise("invalid", "%s/build.lua exists already", dir)
		end
		local name = dir:match "([^/]*)$":gsub("[^%w_%-]+", "_"):lower()
		if name == "" or name == "_" then name = "my_map" end
		local title = name:gsub("[_%-]+", " "):gsub("%f[%w]%l", string.upper)
		core.fs.write(dir .. "/build.lua",
			templates[options.template or "bar"]:format(title, name, title))
		core.fs.write(dir .. "/.luarc.json",
			luarc:format("/usr/local/share/mapwright/lua"))
		term.say("%s/build.lua made; build it with: mapwright build %s", dir, dir)
		return 0
	end,
}
