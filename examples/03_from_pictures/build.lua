-- From pictures: a map whose heights, ground and metal come from picture files, as they do when
-- another program made them. This example makes its three pictures itself first.
local mw = require "mapwright"

-- 257 x 257 vertices, 2048 x 2048 texels, 128 x 128 metal cells: a map of 4x4 map units.
local hills = mw.field{ w = 257, h = 257, step = 8, seed = 77 }
	:set(mw.noise.gradient{ period = 900, octaves = 5, amplitude = 0.5 } + 0.5)
	:mirror "x"
	:clamp(0, 1)
mw.image.from_field(hills, { min = 0, max = 1, bits = 16 }):save "made/height.png"

local ramp = { { 0, "#b8a878" }, { 0.35, "#6f7f48" }, { 0.7, "#7a6f5c" }, { 1, "#d8d8d4" } }
mw.image.from_field(hills, { min = 0, max = 1, ramp = ramp })
	:resize{ w = 2048, h = 2048 }
	:save "made/ground.png"

local ore = mw.image{ w = 128, h = 128, bits = 8 }
for _, at in ipairs{ {24, 30}, {34, 30}, {24, 98}, {34, 98} } do
	for _, x in ipairs{ at[1], 128 - at[1] } do ore:disc(x, at[2], 3, 60) end
end
ore:save "made/metal.png"

-- The map.
local land = mw.terrain{ map_units = {4, 4}, min_height = -60, max_height = 340 }
land:heights{ picture = "made/height.png" }
land:metal{ picture = "made/metal.png" }
land:ground{ picture = "made/ground.png", shade = 0.4 }
land:start{ x = 400, z = 1024, mirror = "x" }

mw.target.bar{ out = "from_pictures.sdz", terrain = land,
	info = { name = "From Pictures", version = "1.0", author = "mapwright", maxMetal = 1,
		extractorRadius = 90, tidalStrength = 12, lighting = { sunDir = {0.3, 0.8, 0.4} } } }
