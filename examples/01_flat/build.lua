-- The smallest playable map: flat ground, two starts, three metal spots a side.
local mw = require "mapwright"

local land = mw.terrain{ map_units = {4, 4}, min_height = -100, max_height = 300 }
land.height:set(60)
land:start{ x = 400, z = 400, mirror = "point" }
for i = 0, 2 do land:metal_spot{ x = 288 + 112 * i, z = 560, metal = 2, mirror = "point" } end
land:ground{ layers = { { color = "#6d7a4a" } } }

mw.target.bar{ out = "flat.sd7", terrain = land,
	info = { name = "Flat", version = "1.0", author = "mapwright", maxMetal = 1, extractorRadius = 90,
		tidalStrength = 15, lighting = { sunDir = {0.4, 0.8, 0.3} } } }
