-- A courtyard drawn in an editor, made larger by a script: a ring of pillars, torches on them and
-- steps up to the gate. Change courtyard.map in TrenchBroom and build again.
local mw = require "mapwright"

local level = mw.level("courtyard.map", { scene_units_per_metre = 1 })
local rock = level:material{ name = "rock4_2", tile = {2, 2} }

-- the editor's own floor tells how large the courtyard is
local yard = level:brushes():bounds()
local x, z = (yard.min[1] + yard.max[1]) / 2, (yard.min[3] + yard.max[3]) / 2
local floor = 0

for i = 0, 11 do
	local angle = math.rad(i * 30 + 15)
	local px, pz = x + 6 * math.cos(angle), z + 6 * math.sin(angle)
	level:add(mw.cylinder{ at = {px, floor, pz}, radius = 0.375, height = 3, sides = 8,
		material = rock }, { group = "pillars" })
	level:light{ at = {x + 5.4 * math.cos(angle), floor + 2.25, z + 5.4 * math.sin(angle)},
		radius = 6, color = "#ffb060", intensity = 0.6 }
end

level:add(mw.stairs{ at = {x - 1, floor, yard.max[3] - 4}, run = {0, 0, 3}, rise = 1, width = 2,
	steps = 8, material = rock }, { group = "steps" })

mw.target.quake_map{ out = "courtyard_big.map", scene = level, units_per_metre = 32 }
mw.target.quake_map{ out = "courtyard_big_q2.map", scene = level, dialect = "Quake2",
	units_per_metre = 32 }
mw.target.hmap{ out = "courtyard_big.hmap", scene = level, bake_light = true }
