-- A map as people make them, at any size: ridged noise, erosion, five ground layers, an archive at
-- the default level. `-D units=16` says how many map units a side has.
local mw = require "mapwright"

local units = tonumber(mw.define("units", "16"))
local land = mw.terrain{ map_units = {units, units}, min_height = -120, max_height = 520,
	seed = 1889 }

land.height
	:set(60)
	:add(mw.noise.ridged{ period = 1700, octaves = 6, amplitude = 300 })
	:add(mw.noise.gradient{ period = 240, octaves = 3, amplitude = 14 })
	:erode{ kind = "hydraulic", iterations = 60 }
	:erode{ kind = "thermal", iterations = 12, angle = 38 }
	:blur(16)

local far = units * 512 - 600
land:start{ x = 600, z = 600 }
land:start{ x = far, z = far }

local rough = mw.noise.gradient{ period = 60, octaves = 5, amplitude = 1 }
local forest = mw.noise.gradient{ period = 900, octaves = 2, amplitude = 1 }
land:ground{
	layers = {
		{ color = "#5d6b3e", tint = rough },
		{ color = "#7d7a4e", mask = forest, tint = rough },
		{ color = "#807668", slope_above = 30, soften = 8, tint = rough },
		{ color = "#a9a49b", above = 260, soften = 60, tint = rough },
		{ color = "#c2b184", below = 14, soften = 10 },
	},
	shade = 0.5,
}

mw.target.bar{
	out = ("bench_%d.%s"):format(units, mw.define("kind", "sd7")), terrain = land,
	info = {
		name = ("Bench %d"):format(units), version = "1.0", author = "mapwright",
		description = "A map to measure how long a map takes.",
		maxMetal = 1.0, extractorRadius = 90, gravity = 130, tidalStrength = 18, maphardness = 120,
		atmosphere = { minWind = 4, maxWind = 16, skyColor = {0.4, 0.5, 0.7},
			fogStart = 0.8, fogEnd = 1 },
		lighting = { sunDir = {-0.5, 0.7, -0.4}, groundAmbientColor = {0.45, 0.45, 0.5} },
		water = { surfaceColor = {0.3, 0.5, 0.6}, surfaceAlpha = 0.3, absorb = {0.004, 0.003, 0.002} },
	},
}
