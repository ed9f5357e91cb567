-- Cellar: two vaults with a door, an arch between pillars, stairs and lights. One brush level; the
-- targets at the end make files of it.
local mw = require "mapwright"

local level = mw.scene{ name = "cellar", units_per_metre = 1, grid = 0.25, ambient = "#181820" }
local stone = level:material{ name = "stone_wall", texture = "stone_wall.png", tile = {2, 2} }
local floor = level:material{ name = "flagstone", texture = "flagstone.png", tile = {1, 1} }
local plank = level:material{ name = "plank", texture = "plank.png", tile = {1, 1} }

-- Plain Lua functions are the prefab system.
local function vault(x)
	local walls = mw.room{ min = {x, 0, 0}, max = {x + 8, 3, 6}, wall = 0.25 }
	return walls:material(stone):material(floor, "top")
end

local function lamp(x, z, color)
	level:light{ at = {x, 2.6, z}, radius = 7, color = color, intensity = 1.2 }
	level:add(mw.cylinder{ at = {x, 2.75, z}, radius = 0.125, height = 0.25, sides = 8,
		material = plank }, { detail = true })
end

-- the rooms share the wall between them, and the doorway goes through both copies of it
local doorway = mw.box{ min = {7.75, 0, 2.25}, max = {8.5, 2.25, 3.75} }
level:add(vault(0):subtract(doorway))
level:add(vault(8.25):subtract(doorway))

-- a pillar in the first vault throws a shadow
level:add(mw.box{ min = {3.75, 0, 2.75}, max = {4.25, 3, 3.25}, material = stone })

-- an arch across the second vault, on two piers
for _, z in ipairs{ 0, 5.5 } do
	level:add(mw.box{ min = {14, 0, z}, max = {14.5, 1.5, z + 0.5}, material = stone })
end
local bow = mw.arch{ min = {0, -1.5, 0}, max = {6, 1.5, 0.5}, thickness = 0.5, segments = 12 }
level:add(bow:turn{ yaw = 90 }:move{ 14, 1.5, 6 }:material(stone), { group = "arch" })

level:add(mw.stairs{ at = {9, 0, 0}, run = {3, 0, 0}, rise = 1.5, width = 1.5, steps = 6,
	material = plank })
level:add(mw.box{ min = {12, 0, 0}, max = {13.5, 1.5, 1.5}, material = plank })

level:player_start{ at = {1.5, 0, 3}, yaw = -90 }
lamp(2, 1.5, "#ffd9a0")
lamp(6, 4.5, "#ffd9a0")
lamp(11, 4, "#a0c0ff")
lamp(15.5, 3, "#ffb070")

local leaf = mw.box{ min = {8, 0, 2.25}, max = {8.25, 2.25, 3.75}, material = plank }
level:entity{ classname = "func_door", keys = { targetname = "door", speed = 100, wait = 4 },
	brushes = leaf }
local pad = mw.box{ min = {6.5, 0, 2.25}, max = {9.5, 2, 3.75}, contents = "trigger" }
level:entity{ classname = "trigger_multiple", brushes = pad,
	wires = { { output = "OnTrigger", target = "door", input = "Open", delay = 0.25 } } }

mw.target.hmap{ out = "cellar.hmap", scene = level, content = "both", bake_light = true,
	light_grid = 0.5 }
mw.target.quake_map{ out = "cellar.map", scene = level, dialect = "valve220", units_per_metre = 32 }
