-- A map around a finished picture of its ground, ground.png beside the script (512 texels a map
-- unit), and nothing else that takes time: `-D units=16`, `-D kind=sdz`.
local mw = require "mapwright"

local units = tonumber(mw.define("units", "16"))
local land = mw.terrain{ map_units = {units, units}, min_height = -120, max_height = 520,
	seed = 1889 }

land.height:set(60):add(mw.noise.ridged{ period = 1700, octaves = 6, amplitude = 300 })
land:ground{ picture = "ground.png" }

local far = units * 512 - 600
land:start{ x = 600, z = 600 }
land:start{ x = far, z = far }

mw.target.bar{
	out = "bench_picture." .. mw.define("kind", "sdz"), terrain = land,
	info = {
		name = "Bench picture", version = "1.0", author = "mapwright",
		description = "A map to measure how long a picture takes.",
		maxMetal = 1.0, extractorRadius = 90, gravity = 130, tidalStrength = 18,
	},
}
