local mw = require "mapwright"

local function message(fn, ...)
	local ok, problem = pcall(fn, ...)
	assert.is_false(ok)
	return type(problem) == "table" and problem.message or tostring(problem)
end

local function cube(x, size)
	return mw.box{ min = { x, 0, 0 }, max = { x + size, size, size } }
end

describe("brushes", function()
	it("have the volume, area and bounds of their shape", function()
		local b = mw.box{ min = { 1, 2, 3 }, max = { 3, 5, 7 } }
		assert.equal(1, b.count)
		assert.equal(24, b:volume())
		assert.equal(2 * (6 + 8 + 12), b:area())
		assert.same({ min = { 1, 2, 3 }, max = { 3, 5, 7 } }, b:bounds())
		assert.equal(12, mw.wedge{ min = { 1, 2, 3 }, max = { 3, 5, 7 } }:volume())
		assert.equal(4 * 2, mw.prism{ points = { { x = 0, z = 0 }, { x = 2, z = 0 },
			{ x = 2, z = 2 }, { x = 0, z = 2 } }, bottom = 1, top = 3 }:volume())
		assert.near(math.pi, mw.cylinder{ at = { 0, 0, 0 }, radius = 1, height = 1,
			sides = 256 }:volume(), 1e-3)
		assert.near(math.pi / 3, mw.cone{ at = { 0, 0, 0 }, radius = 1, height = 1,
			sides = 256 }:volume(), 1e-3)
		assert.near(4 / 3 * math.pi, mw.sphere{ at = { 0, 0, 0 }, radius = 1, sides = 64,
			rings = 64 }:volume(), 1e-2)
		-- a pile of stumps of pyramids of 64 sides; corners are on a fine grid
		local pile, side = 0, 64 / 2 * math.sin(math.pi / 32)
		for i = 0, 31 do
			local from, to = math.pi * i / 32, math.pi * (i + 1) / 32
			local low, high = side * math.sin(from) ^ 2, side * math.sin(to) ^ 2
			pile = pile + (math.cos(from) - math.cos(to)) / 3 * (low + high + math.sqrt(low * high))
		end
		assert.near(pile, mw.sphere{ at = { 0, 0, 0 }, radius = 1, sides = 64,
			rings = 32 }:volume(), 1e-5)
		assert.near(2 * math.pi ^ 2 * 4 * 0.25, mw.torus{ at = { 0, 0, 0 }, radius = 4, tube = 0.5,
			segments = 64, sides = 32 }:volume(), 0.2)
		assert.near(math.pi / 2 * (16 - 9), mw.arch{ min = { -4, -4, 0 }, max = { 4, 4, 1 },
			thickness = 1, segments = 128 }:volume(), 0.01)
		assert.is_nil(mw.csg.subtract(b, b):bounds())
		assert.near(1 / 6, mw.hull{ points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 },
			{ 0, 0, 1 } } }:volume(), 1e-12)
	end)

	it("are rooms whose inside is what was asked for", function()
		local room = mw.room{ min = { 0, 0, 0 }, max = { 8, 3, 6 }, wall = 0.25 }
		assert.equal(6, room.count)
		assert.equal(8.5 * 3.5 * 6.5 - 8 * 3 * 6, room:volume())
		assert.same({}, room:contents_at { 4, 1, 3 })
		assert.same({ "solid" }, room:contents_at { -0.125, 1, 3 })
	end)

	it("are stairs to the right hand of who walks up", function()
		local east = mw.stairs{ at = { 10, 0, 1 }, run = { 3, 0, 0 }, rise = 1.5, width = 2, steps = 6 }
		assert.equal(6, east.count)
		assert.same({ min = { 10, 0, 1 }, max = { 13, 1.5, 3 } }, east:bounds())
		assert.same({ "solid" }, east:contents_at { 12.9, 1.4, 2 })
		assert.same({}, east:contents_at { 10.1, 1.4, 2 })
		local north = mw.stairs{ at = { 0, 0, 0 }, run = { 0, 0, -3 }, rise = 1, width = 2, steps = 2 }
		assert.same({ min = { 0, 0, -3 }, max = { 2, 1, 0 } }, north:bounds())
		assert.matches("'run' must go along x or along z", message(mw.stairs, { at = { 0, 0, 0 },
			run = { 1, 0, 1 }, rise = 1, width = 1, steps = 1 }))
	end)

	it("are cut and joined exactly", function()
		local a, b = cube(0, 64), cube(32, 64)
		assert.equal(32 * 64 * 64, a:subtract(b):volume())
		assert.equal(32 * 64 * 64, (a - b):volume())
		assert.equal(32 * 64 * 64, a:intersect(b):volume())
		assert.equal(96 * 64 * 64, a:union(b):volume())
		assert.equal(2, (a + b).count)
		assert.equal(96 * 64 * 64, (a + b):volume())
		assert.equal(1, a:subtract(cube(64, 64)).count)
		assert.equal(1, a:union(cube(64, 64)):merge().count)
		local half = a:clip{ normal = { 0, 1, 0 }, distance = 16 }
		assert.equal(16 * 64 * 64, half:volume())
		assert.equal(48 * 64 * 64, a:clip{ normal = { 0, 1, 0 }, distance = 16,
			keep = "front" }:volume())
		assert.equal(64 ^ 3 - 48 ^ 3, a:hollow(8):volume())
		assert.equal(64 ^ 3, mw.csg.volume { a, a })
		assert.equal(64 ^ 3, a:volume(), "the operand is as it was")
	end)

	it("are moved, turned, stretched and mirrored", function()
		local a = mw.box{ min = { 0, 0, 0 }, max = { 2, 1, 1 } }
		assert.same({ min = { 5, 0, -1 }, max = { 7, 1, 0 } }, a:move { 5, 0, -1 }:bounds())
		-- yaw turns north (-z) towards west (-x): east goes north
		assert.same({ min = { 0, 0, -2 }, max = { 1, 1, 0 } }, a:turn{ yaw = 90 }:bounds())
		assert.same({ min = { 0, 0, 0 }, max = { 4, 2, 2 } }, a:scale(2):bounds())
		assert.same({ min = { -2, 0, 0 }, max = { 0, 1, 1 } }, a:mirror "x":bounds())
		assert.same({ min = { 4, 0, 0 }, max = { 6, 1, 1 } }, a:mirror("x", 3):bounds())
		assert.near(2, a:turn{ yaw = 31, pitch = 12, roll = 7 }:volume(), 1e-9)
	end)

	it("have contents and materials by faces", function()
		local level = mw.scene{}
		local stone = level:material{ name = "stone" }
		local moss = level:material{ name = "moss" }
		local a = cube(0, 1):material(stone):material(moss, "top")
		local seen = {}
		for _, f in ipairs(a:brush(1).faces) do seen[f.material] = (seen[f.material] or 0) + 1 end
		assert.same({ [0] = 5, [1] = 1 }, seen)
		assert.same({ "water" }, a:contents "water":contents_at { 0.5, 0.5, 0.5 })
		assert.same({ "solid", "clip" }, a:contents { "clip", "solid" }:brush(1).contents)
		local other = mw.scene{}:material{ name = "x" }
		assert.matches("materials of two scenes", message(a.subtract, a, cube(0, 1):material(other)))
	end)

	it("tell what is wrong at the line of the script", function()
		assert.matches("brush_spec.lua:%d+: room: unknown option 'wal' %(did you mean 'wall'%?%)",
			message(mw.room, { min = { 0, 0, 0 }, max = { 1, 1, 1 }, wal = 1 }))
		assert.matches("'wall' = 5000 is outside 0.01..4096 scene units",
			message(mw.room, { min = { 0, 0, 0 }, max = { 1, 1, 1 }, wall = 5000 }))
		assert.matches("box: 'max' must lie beyond 'min' along y %(3 and 1%)",
			message(mw.box, { min = { 0, 3, 0 }, max = { 1, 1, 1 } }))
		assert.matches("brush: the planes do not close",
			message(mw.brush, { planes = { { 1, 0, 0, 1 }, { -1, 0, 0, 1 } } }))
		assert.matches("hull: ", message(mw.hull, { points = { { 0, 0, 0 }, { 1, 0, 0 } } }))
		-- within 100 of one plane all facets are: one side is left
		assert.matches("hull: with 'flat' = 100 the sides that are left do not close; give less",
			message(mw.hull, { flat = 100, points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 },
				{ 0, 0, 1 }, { 1, 1, 1.01 } } }))
		assert.matches("brushes: no field or method 'substract' %(did you mean 'subtract'%?%)",
			message(function() return cube(0, 1).substract end))
		assert.matches("contents must be of solid, water", message(cube(0, 1).contents, cube(0, 1),
			"lava"))
	end)

	it("are the ground under a field", function()
		local f = mw.field{ w = 3, h = 3, step = 1, value = 2 }
		local patch = mw.terrain_patch{ heights = f, at = { 10, 0, 20 }, cell = 4 }
		assert.equal(8 * 8 * 2, patch:volume())
		assert.same({ min = { 10, 0, 20 }, max = { 18, 2, 28 } }, patch:bounds())
	end)
end)

describe("a tree over brushes", function()
	it("tells contents, rays and boxes as the brushes do", function()
		local room = mw.room{ min = { 0, 0, 0 }, max = { 8, 3, 6 }, wall = 0.25 }
		local tree = mw.bsp.build{ brushes = room }
		local names, brush = tree:contents_at { -0.125, 1, 1 }
		assert.same({ "solid" }, names)
		assert.is_true(brush >= 1 and brush <= 6)
		assert.same({}, (tree:contents_at { 1, 1, 1 }))
		local hit = tree:ray{ from = { 4, 1, 3 }, to = { 4, -9, 3 } }
		assert.near(0.1, hit.t, 1e-12)
		assert.same({ 0, 1, 0 }, hit.normal)
		assert.near(0, hit.at[2], 1e-12)
		assert.is_nil(tree:ray{ from = { 4, 1, 3 }, to = { 4, 2, 3 } })
		assert.is_nil(tree:ray{ from = { 4, 1, 3 }, to = { 4, -9, 3 }, mask = { "water" } })
		local box = tree:sweep{ from = { 4, 1, 3 }, to = { 4, -9, 3 }, half = { 0.5, 0.5, 0.5 } }
		assert.near(0.05, box.t, 1e-12)
		assert.is_true(tree:ray{ from = { -0.1, 1, 1 }, to = { 4, 1, 1 } }.inside)
		local stats = tree:stats()
		assert.is_true(stats.nodes >= 1 and stats.depth <= 40)
		local split = tree:split()
		assert.is_truthy(split.plane or split.brushes)
	end)

	it("stops a box where it touches, at corners and edges too", function()
		local half = { 0.5, 0.5, 0.5 }
		-- a block turned by 45 degrees: its corner is at sqrt(2)
		local block = mw.box{ min = { -1, -1, -1 }, max = { 1, 1, 1 } }:turn{ yaw = 45 }
		local hit = mw.bsp.build{ brushes = block }:sweep{ from = { 10, 0, 0 }, to = { 0, 0, 0 },
			half = half }
		assert.near(math.sqrt(2) + 0.5, hit.at[1], 1e-12)
		-- a ridge y = x: at x = 4.5 the lower edge of the box, 0.5 below its middle, meets it
		local ridge = mw.brush{ planes = { { -1, 1, 2, 0 }, { -1, 1, -2, 0 }, { 1, 0, 0, 8 },
			{ 0, -1, 0, 0 }, { -1, 0, 0, 0 } } }
		hit = mw.bsp.build{ brushes = ridge }:sweep{ from = { 4, 20, 0 }, to = { 4, 0, 0 },
			half = half }
		assert.near(5, hit.at[2], 1e-12)
	end)
end)
