local core = require "mapwright.core"
local mw = require "mapwright"
local run = require "run"

local function message(fn, ...)
	local ok, problem = pcall(fn, ...)
	assert.is_false(ok)
	return type(problem) == "table" and problem.message or tostring(problem)
end

-- A project in a folder with its build.lua; returns the folder.
local function project(script)
	local dir = run.folder()
	run.write(dir .. "/build.lua", script)
	return dir
end

local cellar = [[
local mw = require "mapwright"
local level = mw.scene{ name = "cellar", grid = 0.25, ambient = { 0.1, 0.1, 0.1 } }
local stone = level:material{ name = "stone", texture = "stone.png", tile = { 2, 2 } }
level:add(mw.room{ min = { 0, 0, 0 }, max = { 8, 3, 6 }, wall = 0.25, material = stone })
level:add(mw.box{ min = { 3.5, 0, 2.5 }, max = { 4.5, 3, 3.5 } }:turn{ yaw = 30,
	about = { 4, 0, 3 } }:material(stone))
level:add(mw.mesh{ name = "flag", vertices = { { 1, 1, 1 }, { 2, 1, 1 }, { 1, 2, 1 } },
	faces = { { 1, 2, 3, smooth = 1, uv = { { 0, 0 }, { 1, 0 }, { 0, 1 } } } }, material = stone })
level:player_start{ at = { 2, 0, 3 }, yaw = 90 }
level:light{ at = { 4, 2.6, 1 }, radius = 7, color = "#ffd9a0", intensity = 1.2 }
level:entity{ classname = "func_door", keys = { { "wait", 4 }, { "speed", 100 }, { "wait", 5 } },
	wires = { { output = "OnOpen", target = "bell", input = "Ring", delay = 0.5 } },
	brushes = mw.box{ min = { 0, 0, 1 }, max = { 0.25, 2, 2 } } }
mw.target.hmap{ out = "cellar.hmap", scene = level, bake_light = true, %s }
]]

local function built(options, arguments)
	local dir = project(cellar:format(options or ""))
	local result = run.mapwright({ "build", "--no-cache", table.unpack(arguments or {}) },
		{ dir = dir })
	assert.equal(0, result.status, result.err)
	return dir, run.read(dir .. "/cellar.hmap"), result
end

describe("the .hmap target", function()
	after_each(run.clean)

	it("makes a file that is the same after a scene and back, and on any number of threads", function()
		local _, bytes = built("light_grid = 1,")
		local hmap, findings = core.hmap.read(bytes, "x", false)
		assert.same({}, findings)
		local again = core.hmap.from_scene(hmap:scene())
		again:compile { bake = true, light_grid = 1 }
		again:set_content "both"
		assert.is_true(again:write() == bytes)
		local _, one = built("light_grid = 1,", { "-j1" })
		local _, seven = built("light_grid = 1,", { "-j7" })
		assert.is_true(one == bytes and seven == bytes)
	end)

	it("is drawn in its baked light, from its compiled faces alone too", function()
		local dir = built("light_grid = 0.5,")
		local function picture(file, ...)
			local result = run.mapwright({ "preview", file, "-o", "p.png", "--view", "top", "--size",
				"320", ... }, { dir = dir })
			assert.equal(0, result.status, result.err)
			return core.image.decode(run.read(dir .. "/p.png"))
		end
		-- scale: 8.5 metres with their margin are 320 pixels; the picture's middle is (4, 3)
		local function brightness(image, x, z)
			local w, h = core.image.info(image)
			local c = image:get(math.floor(w / 2 + (x - 4) * w / (1.06 * 8.5)),
				math.floor(h / 2 + (z - 3) * w / (1.06 * 8.5)))
			return c[1] + c[2] + c[3]
		end
		local lit = picture("cellar.hmap", "--light")
		-- the lamp hangs at (4, 1): the floor right below it is bright, behind the pillar it is not
		assert.is_true(brightness(lit, 4, 1.2) > 2 * brightness(lit, 4, 4.6))
		-- beside the shadow, as far away, it is brighter than in it
		assert.is_true(brightness(lit, 6.3, 4) > 1.5 * brightness(lit, 4, 4.6))
		local plain = picture "cellar.hmap"
		assert.is_true(math.abs(brightness(plain, 4, 1.2) - brightness(plain, 4, 4.6)) < 0.4)
		assert.equal(0, run.mapwright({ "convert", "cellar.hmap", "c.hmap", "--set",
			"content=compiled" }, { dir = dir }).status)
		local alone = picture("c.hmap")
		assert.is_true(brightness(alone, 4, 1.2) > 2 * brightness(alone, 4, 4.6))
		assert.equal(0, run.mapwright({ "convert", "cellar.hmap", "s.hmap", "--set",
			"content=source" }, { dir = dir }).status)
		local result = run.mapwright({ "preview", "s.hmap", "-o", "q.png", "--light" }, { dir = dir })
		assert.equal(1, result.status)
		assert.matches("s%.hmap holds no baked light %(bake_light = true", result.err)
	end)

	it("keeps what is compiled when another choice of content is converted", function()
		local dir, bytes = built("light_grid = 1,")
		local function convert(from, to, ...)
			local words = { "convert", from, to }
			for _, setting in ipairs { ... } do
				table.insert(words, "--set")
				table.insert(words, setting)
			end
			local result = run.mapwright(words, { dir = dir })
			return result.status == 0 and run.read(dir .. "/" .. to), result.err
		end
		local whole = core.hmap.read(bytes, "x", true)
		local function batches(text)
			local hmap, out = core.hmap.read(text, "y", true), {}
			for i = 1, hmap:level().batches do out[i] = hmap:batch(i) end
			return out, hmap:level().baked
		end
		local compiled = convert("cellar.hmap", "c.hmap", "content=compiled")
		assert.same(batches(bytes), (batches(compiled)))
		assert.equal(1, select(2, batches(compiled)))
		-- compiling again bakes again, unless it is told not to
		local again = convert("cellar.hmap", "a.hmap", "leaf_size=2")
		assert.equal(1, core.hmap.read(again, "a", true):level().baked)
		assert.equal(whole:level().baked, 1)
		local dark = convert("cellar.hmap", "d.hmap", "bake_light=false")
		assert.equal(0, core.hmap.read(dark, "d", true):level().baked)
		-- and without the source there is nothing to compile
		local none, problem = convert("c.hmap", "n.hmap", "leaf_size=2")
		assert.is_false(none)
		assert.matches("c%.hmap: leaf_size asks to compile again, but there is no source in the file",
			problem)
		assert.is_false(run.exists(dir .. "/n.hmap"))
	end)

	it("holds what the script said", function()
		local dir, bytes = built()
		local hmap = core.hmap.read(bytes, "x", true)
		local entities = hmap:entities()
		assert.equal("player_start", entities[1].classname)
		assert.same({ 0, 90, 0 }, entities[1].angles)
		assert.equal("light", entities[2].classname)
		assert.same({ { "wait", "4" }, { "speed", "100" }, { "wait", "5" },
			{ "OnOpen", "bell,Ring,,0.5,0" } }, entities[3].keys)
		local light = hmap:lights()[1]
		assert.equal("point", light.kind)
		assert.equal(7, light.radius)
		assert.near(1.2, light.intensity, 1e-6)
		assert.equal("stone", hmap:materials()[1].name)
		assert.same({ 2, 2 }, hmap:materials()[1].tile)
		local result = run.mapwright({ "info", "cellar.hmap", "--json" }, { dir = dir })
		assert.equal(0, result.status, result.err)
		local info = core.base.json_read(result.out)
		local want = { kind = "hmap", materials = 1, brushes = 8, meshes = 1, entities = 3,
			compiled = true, models = 2, lights = 1, content = "both" }
		for k, v in pairs(want) do assert.equal(v, info[k], k) end
		assert.same({ "META", "MATS", "BRSH", "MESH", "ENTS", "CMPL" }, info.chunks)
		for _, key in ipairs { "batches", "triangles", "bsp_depth", "bsp_nodes", "bsp_leaves",
			"bsp_planes", "mean_brushes_per_query", "bounds" } do
			assert.is_not_nil(info[key], key)
		end
		assert.same({ -0.25, -0.25, -0.25 }, info.bounds.min)
		assert.is_true(info.mean_brushes_per_query <= 8)
	end)

	it("leaves out source or compiled data", function()
		local _, source = built 'content = "source",'
		local _, compiled = built 'content = "compiled",'
		local s, c = core.hmap.read(source, "s", true), core.hmap.read(compiled, "c", true)
		assert.equal(1, s:info().flags)
		assert.is_false(s:info().compiled)
		assert.equal(2, c:info().flags)
		assert.equal(0, c:info().brushes)
		assert.equal(1, c:info().materials)
	end)

	it("names losses, and refuses them when strict", function()
		local script = [[
local mw = require "mapwright"
local level = mw.scene{}
level:add(mw.box{ min = { 0, 0, 0 }, max = { 1, 1, 1 } }, { group = "a" })
level:add(mw.box{ min = { 2, 0, 0 }, max = { 3, 1, 1 } }, { group = "b" })
mw.target.hmap{ out = "x.hmap", scene = level }
]]
		local dir = project(script)
		local result = run.mapwright({ "build" }, { dir = dir })
		assert.equal(0, result.status)
		assert.matches("x.hmap: left out 2 groups", result.err, 1, true)
		os.remove(dir .. "/x.hmap")
		result = run.mapwright({ "build", "--strict" }, { dir = dir })
		assert.equal(1, result.status)
		assert.matches("build.lua:5: .*would leave out 2 groups", result.err)
		assert.is_false(run.exists(dir .. "/x.hmap"))
	end)

	it("tells mistakes at their line", function()
		local level = mw.scene{ name = "x" }
		assert.matches("'content' must be one of 'source', 'compiled', 'both', got 'all'",
			message(mw.target.hmap, { out = "a.hmap", scene = level, content = "all" }))
		assert.matches("must end in .hmap", message(mw.target.hmap, { out = "a.map", scene = level }))
		assert.matches("hmap_spec.lua:%d+: light: a sun has no 'radius'",
			message(level.light, level, { kind = "sun", radius = 3 }))
		assert.matches("'origin' is no key of 'keys'; use 'at'",
			message(level.entity, level, { classname = "x", keys = { origin = "1 2 3" } }))
		assert.matches("expected brushes or meshes, got 3",
			message(level.add, level, { 3 }))
		level:material{ name = "m" }
		assert.matches("'m' is there already", message(level.material, level, { name = "m" }))
		assert.matches("mesh: face 1: corner 3 is 4, there are 3 vertices", message(mw.mesh, {
			vertices = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } }, faces = { { 1, 2, 4 } } }))
	end)
end)

describe("convert and query", function()
	after_each(run.clean)

	it("keep every byte of a .hmap that is only copied", function()
		local dir, bytes = built()
		bytes = bytes .. "XTRA\5\0\0\0hello"
		run.write(dir .. "/in.hmap", bytes)
		local result = run.mapwright({ "convert", "in.hmap", "out.hmap" }, { dir = dir })
		assert.equal(0, result.status, result.err)
		assert.is_true(run.read(dir .. "/out.hmap") == bytes)
	end)

	it("compile and strip by --set content", function()
		local dir = built 'content = "source",'
		local function convert(...)
			local result = run.mapwright({ "convert", ... }, { dir = dir })
			return result.status, result.err
		end
		assert.equal(0, (convert("cellar.hmap", "-o", "c.hmap", "--set", "content=compiled",
			"--set", "bake_light=true")))
		local c = core.hmap.read(run.read(dir .. "/c.hmap"), "c", true)
		assert.is_true(c:info().compiled)
		assert.equal(1, c:level().baked)
		local status, err = convert("c.hmap", "s.hmap", "--set", "content=source")
		assert.equal(1, status)
		assert.matches("there is no source to keep", err)
		assert.is_false(run.exists(dir .. "/s.hmap"))
		status, err = convert("cellar.hmap", "x.hmap", "--set", "contents=source")
		assert.equal(1, status)
		assert.matches("no such setting %(did you mean 'content'%?%)", err)
		assert.equal(2, (convert("cellar.hmap")))
		status, err = convert("cellar.hmap", "x.txt")
		assert.equal(1, status)
		assert.matches("no kind of level that can be written ends so", err)
	end)

	it("stop a box where it touches, whichever bevels the file has", function()
		for _, bevels in ipairs { "none", "axial", "edge" } do
			local dir = project(([[
local mw = require "mapwright"
local level = mw.scene{}
level:add(mw.brush{ planes = { { -1, 1, 2, 0 }, { -1, 1, -2, 0 }, { 1, 0, 0, 8 }, { 0, -1, 0, 0 },
	{ -1, 0, 0, 0 } } })
mw.target.hmap{ out = "ridge.hmap", scene = level, bevels = %q }
]]):format(bevels))
			assert.equal(0, run.mapwright({ "build" }, { dir = dir }).status)
			local result = run.mapwright({ "query", "ridge.hmap", "ray", "4", "20", "0", "4", "0", "0",
				"--json", "--box", "0.5,0.5,0.5" }, { dir = dir })
			assert.near(15, core.base.json_read(result.out).distance, 1e-6)
		end
	end)

	it("ask a level, compiled or not", function()
		for _, content in ipairs { "source", "compiled" } do
			local dir = built('content = "' .. content .. '",')
			local function query(...)
				local result = run.mapwright({ "query", "cellar.hmap", ... }, { dir = dir })
				assert.equal(0, result.status, result.err)
				return result.out
			end
			assert.matches("contents: solid\n", query("point", "-0.1", "1", "1"))
			assert.matches("contents: empty\nbrushes: none", query("point", "1", "1", "1"))
			local hit = core.base.json_read(query("ray", "1", "1", "1", "1", "-9", "1", "--json"))
			assert.is_true(hit.hit)
			assert.near(1, hit.distance, 1e-12)
			assert.same({ 0, 1, 0 }, hit.normal)
			hit = core.base.json_read(query("ray", "1", "1", "1", "1", "-9", "1", "--json",
				"--box", "0.25,0.5,0.25"))
			assert.near(0.5, hit.distance, 1e-12)
			assert.equal("hit: none\n", query("ray", "1", "1", "1", "2", "1", "1"))
		end
	end)

	it("says what a wire cannot hold", function()
		local function wired(wire)
			local dir = project(('local mw = require "mapwright"\nlocal level = mw.scene{}\n'
				.. 'level:entity{ classname = "relay", wires = { { %s } } }\n'
				.. 'mw.target.hmap{ out = "x.hmap", scene = level }\n'):format(wire))
			return run.mapwright({ "build" }, { dir = dir })
		end
		local plain = 'output = "On", target = "a", input = "Open"'
		assert.equal("", wired(plain .. ', parameter = "1 2"').err)
		assert.matches("build.lua:3: entity: wire 1: 'parameter' = '1,2': commas part the fields of a"
			.. " wire, here they become blanks %[wire%-comma%]", wired(plain .. ', parameter = "1,2"').err)
		assert.matches("build.lua:3: error: entity: wire 1: 'target' is blank",
			wired('output = "On", target = " ", input = "Open"').err)
		assert.matches("build.lua:3: error: entity: wire 1: 'output' = 'origin' is a key of its own",
			wired('output = "origin", target = "a", input = "Open"').err)
	end)

	it("asks for places that a level can have only", function()
		local dir = project('local mw = require "mapwright"\nlocal level = mw.scene{}\n'
			.. 'level:add(mw.box{ min = { 2, 0, 0 }, max = { 3, 1, 1 } })\n'
			.. 'mw.target.hmap{ out = "x.hmap", scene = level }\n')
		assert.equal(0, run.mapwright({ "build" }, { dir = dir }).status)
		local result = run.mapwright({ "query", "x.hmap", "ray", "0", ".5", ".5", "1e30", ".5", ".5" },
			{ dir = dir })
		assert.matches("distance: 2\n", result.out)
		result = run.mapwright({ "query", "x.hmap", "ray", "0", ".5", ".5", "1e300", ".5", ".5" },
			{ dir = dir })
		assert.equal(2, result.status)
		assert.matches("query: 1e%+300 is outside %-1e%+30..1e%+30", result.err)
	end)
end)
