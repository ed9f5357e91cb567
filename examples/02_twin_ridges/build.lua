-- Twin Ridges: a two-player map of 8x8 map units, point-symmetric, with a pass between two ridges.
local mw = require "mapwright"

local land = mw.terrain{ map_units = {8, 8}, min_height = -120, max_height = 480, seed = 1889 }

-- Two ridges on rolling ground, a pass between them, and the sea in two corners.
land.height
	:set(40)
	:add(mw.noise.ridged{ period = 1700, octaves = 5, amplitude = 260 })
	:add(mw.noise.gradient{ period = 220, octaves = 3, amplitude = 14 })
	:line({ {1000, 1000}, {3096, 3096} }, { width = 420, level = 70, soften = 260 })
	:stamp({ x = 3900, z = 196 }, { radius = 700, level = -70, soften = 700 })
	:mirror("point", { soften = 300 })
	:erode{ kind = "hydraulic", iterations = 60 }
	:erode{ kind = "thermal", iterations = 12, angle = 38 } -- both keep the symmetry
	:blur(16)

-- Level sites to start on.
local starts = { { x = 700, z = 700 }, { x = 3396, z = 3396 } }
for _, at in ipairs(starts) do
	land.height:stamp(at, { radius = 320, level = 90, soften = 220 })
	land:start(at)
end

-- Three metal spots by each start, more where the ground is level, two vents, trees on the slopes.
for ring = 0, 2 do
	land:metal_spot{ x = 560 + ring * 144, z = 848, metal = 2, mirror = "point" }
end
for _, at in ipairs(land:scatter{ spacing = 520, count = 16, snap = 16, mirror = "point",
		avoid = { slope = 20, water = 4, starts = 700, edge = 160 } }) do
	land:metal_spot{ x = at.x, z = at.z, metal = 1.6 }
end
land:vent{ x = 2304, z = 1500, mirror = "point" }
local forest = mw.noise.gradient{ period = 900, octaves = 2, amplitude = 1 }
for i, at in ipairs(land:scatter{ spacing = 64, count = 300, mirror = "point", density = forest * 3,
		avoid = { slope = 32, water = 6, starts = 420, spots = 90 } }) do
	land:feature{ name = "TreeType" .. i % 4, x = at.x, z = at.z, heading = i * 2731 % 32768 }
end

-- What the ground is and looks like.
local rough = mw.noise.gradient{ period = 60, octaves = 3, amplitude = 1 }
land:types{ type = 1, slope_above = 34 }
land:types{ type = 2, below = 10 }
land:grass{ density = (forest + 0.6):clamp(0, 1), slope_below = 24, above = 16 }
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
	out = "twin_ridges.sd7", terrain = land,
	info = {
		name = "Twin Ridges", version = "1.0", author = "mapwright",
		description = "Two ridges and the pass between them.",
		maxMetal = 1.0, extractorRadius = 90, gravity = 130, tidalStrength = 18, maphardness = 120,
		atmosphere = { minWind = 4, maxWind = 16, skyColor = {0.4, 0.5, 0.7},
			fogStart = 0.8, fogEnd = 1 },
		lighting = { sunDir = {-0.5, 0.7, -0.4}, groundAmbientColor = {0.45, 0.45, 0.5} },
		water = { surfaceColor = {0.3, 0.5, 0.6}, surfaceAlpha = 0.3, absorb = {0.004, 0.003, 0.002} },
		terrainTypes = {
			[0] = { name = "Grass", hardness = 1.0 },
			[1] = { name = "Rock", hardness = 1.6, moveSpeeds = { tank = 0.7, kbot = 0.9 } },
			[2] = { name = "Sand", hardness = 0.8, moveSpeeds = { tank = 0.9 } },
		},
	},
}
