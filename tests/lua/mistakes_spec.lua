-- Mistakes that mappers make: each is told at the script's own line, in the words of the manual.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local project = require "mapwright.project"
local run = require "run"
local script = require "mapwright.script"

local head = [[
local mw = require "mapwright"
local land = mw.terrain{ map_units = {2, 2}, min_height = 0, max_height = 9, force_size = true }
]]

-- What a script is told, as the command line would.
local function told(text, files)
	local dir = run.folder()
	for name, bytes in pairs(files or {}) do core.fs.write(dir .. "/" .. name, bytes) end
	core.fs.write(dir .. "/build.lua", text)
	project.begin { root = dir }
	local ok, message = xpcall(script.run, errors.settle, dir .. "/build.lua")
	assert.is_false(ok, text)
	return (tostring(message):gsub("^.-/build%.lua:", "build.lua:"))
end

-- mistake on line 3 -> the message behind "build.lua:3: "
local mistakes = {
	-- '.' for ':' and the other way round
	{ "land.metal_spot{ x = 1, z = 1, metal = 1 }", "metal_spot: called without its terrain; write "
		.. "x:metal_spot(...) with ':', not x.metal_spot(...)" },
	{ "land.height.set(4)",
		"set: called without its field; write x:set(...) with ':', not x.set(...)" },
	{ "mw.noise.gradient{ period = 9 }.abs()", "abs: called without its source; write x:abs(...)"
		.. " with ':', not x.abs(...)" },
	{ "mw.image{ w = 1, h = 1 }.fill('#ffffff')", "fill: called without its image; write x:fill(...)"
		.. " with ':', not x.fill(...)" },
	{ "mw.rng(1).shuffle{ 1, 2 }", "shuffle: called without its rng; write x:shuffle(...) with ':',"
		.. " not x.shuffle(...)" },
	{ "mw.scene{ name = 'x' }.add(mw.box{ min = {0, 0, 0}, max = {1, 1, 1} })",
		"add: called without its scene; write x:add(...) with ':', not x.add(...)" },
	{ "local b = mw.box{ min = {0, 0, 0}, max = {1, 1, 1} } b.subtract(b)",
		"subtract: with what? nothing was given, or it was called with '.' instead of ':'" },
	{ "mw.box{ min = {0, 0, 0}, max = {1, 1, 1} }.volume()",
		"volume: called without its brushes; write x:volume(...) with ':', not x.volume(...)" },
	{ "mw.box{ min = {0, 0, 0}, max = {1, 1, 1}, material = 'stone' }",
		"box: 'material' must be a material (what scene:material made), got 'stone'" },
	{ "mw.box{ min = {0, 0, 0}, max = {1, 1, 1} }:clip{ normal = {0, 0, 0}, distance = 1 }",
		"clip: normal: has no length" },
	{ "mw:terrain{ map_units = {2, 2} }", "terrain: called with ':'; write mw.terrain{...} with '.'" },
	{ "mw.noise:gradient{ period = 9 }",
		"noise.gradient: called with ':'; write mw.noise.gradient{...} with '.'" },
	{ "mw.target:bar{}", "target.bar: called with ':'; write mw.target.bar{...} with '.'" },
	-- what is only to be read
	{ "land.height = 3", "terrain: 'height' is a field that stays; write land.height:set(...)" },
	{ "land.width = 3", "terrain: 'width' is to be read, it cannot be set" },
	{ "land.squares.x = 3", "terrain: 'squares' is to be read; the size is given to mw.terrain" },
	{ "table.insert(land.starts, { x = 1, z = 1 })",
		"terrain: 'starts' is to be read; write land:start{...}" },
	{ "land.spots[1] = {}", "terrain: 'spots' is to be read; write land:metal_spot{...}" },
	{ "land.height.x = 3", "field: 'x' cannot be set" },
	{ "mw.image{ w = 1, h = 1 }.w = 3", "image: 'w' cannot be set" },
	{ "setmetatable(land, nil)", "setmetatable: a terrain keeps its metatable" },
	{ "return land.hieght", "terrain: no field or method 'hieght' (did you mean 'height'?)" },
	-- tables that are not what they seem
	{ "land:ground{ layers = { { color = '#ffffff' }, nil, { color = '#000000' } } }",
		"ground: 'layers' has nothing at [2]; is there a nil in it?" },
	{ "land:ground{ layers = { [2] = { color = '#ffffff' } } }",
		"ground: 'layers' has nothing at [1]; is there a nil in it?" },
	{ "land:ground{ layers = { color = '#ffffff' } }",
		"ground: 'layers' has the key 'color', a list has none" },
	{ "land.height:path({ {1, 1}, {x = 'a', z = 2} }, { width = 3 })",
		"field:path: 'points' [2] must be a position {x = , z = }, got {x = 'a', z = 2}" },
	{ "mw.terrain{ map_units = {2}, min_height = 0, max_height = 1 }",
		"terrain: 'map_units' must be two numbers {a, b}, got {2}" },
	{ "mw.terrain{ [{}] = 1 }", "terrain: unknown option '{}' (known: map_units, squares,"
		.. " elmos, min_height, max_height, seed, force_size)" },
	{ "land:start{ x = 'a\\nb', z = 1 }", "start: 'x' must be a number, got 'a\\10b'" },
	{ "land:start{ x = 1, z = {1, 2, {}, 4, 5, n = 1} }",
		"start: 'z' must be a number, got {1, 2, {...}, 4, ...}" },
	{ "land:feature{ name = 'a\\nb', x = 1, z = 1 }",
		"feature: name 'a\\10b' is empty or holds a control character" },
	-- nothing where something is needed
	{ "mw.rng(1):pick{}", "rng:pick: the list is empty" },
	{ "mw.rng(1):pick()", "rng:pick: 'list' must be a list, got nil" },
	{ "mw.rng(1):range(1)", "rng:range: 'b' must be a number, got nil" },
	{ "mw.define()", "define: 'name' must be a string, got nil" },
	{ "mw.fs.list(5)", "fs.list: expected a path, got 5" },
	{ "mw.fs.exists()", "fs.exists: expected a path, got nil" },
	{ "mw.nope()", "mw.nope does not exist" },
	{ "land.height:map(function() end)",
		"map: the function gave nil for sample (0, 0), a number is needed" },
	{ "mw.image{ w = 1, h = 1 }:blit(mw.image{ w = 1, h = 1, bits = 8 }, 0, 0)",
		"image:blit: both images must be of one kind" },
	-- errors of the script's own
	{ "error('plain', 0)", "plain" },
	{ "error()", "an error without a message was raised (nil)" },
	{ "error{}", "an error without a message was raised ({})" },
	{ "error{ message = 'hi' }", "hi" },
	{ "coroutine.wrap(function() error 'in there' end)()", "in there" },
	{ "assert(pcall(land.height.add, land.height))",
		"field:add: value must be a number or a field or a source or an image, got nil" },
	{ "coroutine.yield()", "attempt to yield from outside a coroutine" },
}

describe("a mistake in a script", function()
	after_each(run.clean)

	for _, row in ipairs(mistakes) do
		it("is told at its line: " .. row[1], function()
			assert.equal("build.lua:3: " .. row[2], told(head .. row[1] .. "\n"))
		end)
	end

	it("does not reach the library's modules or another folder's", function()
		for _, name in ipairs { "mapwright.core", "mapwright.opts", "mapwright.own" } do
			assert.equal(("build.lua:1: require: '%s' is a part of the library; all of it is reached through"
				.. " require \"mapwright\""):format(name),
				told(("require '%s'"):format(name), { ["mapwright/own.lua"] = "return 1" }))
		end
		assert.matches("^build.lua:1: require: '../x' is not a module name", told "require '../x'")
		assert.matches("^build.lua:1: require: '' is not a module name", told "require ''")
		assert.matches("attempt to index a string value", told 'getmetatable("").__index = nil')
	end)

	it("names the modules that require each other", function()
		local message = told("require 'a'", { ["a.lua"] = "require 'b'", ["b.lua"] = "require 'a'" })
		assert.matches("b%.lua:1: require: 'a' is required while it is loaded: a requires b requires a$",
			message)
	end)

	it("does not lie in a byte order mark or a first line for the shell", function()
		for _, front in ipairs { "\239\187\191", "#!/usr/bin/env mapwright\n" } do
			local dir = run.folder()
			core.fs.write(dir .. "/build.lua", front .. "return 7")
			project.begin { root = dir }
			assert.equal(7, script.run(dir .. "/build.lua"))
		end
	end)

	it("in two targets is told where the second is declared", function()
		local target = "mw.target.bar{ out = '%s', terrain = land, info = { name = 'T', maxMetal = 1,"
			.. " extractorRadius = 90 } }\n"
		assert.matches("^build.lua:4: target.bar: './m.sdz' is already made by the target at .*lua:3$",
			told(head .. target:format "m.sdz" .. target:format "./m.sdz"))
		assert.matches("^build.lua:4: target.bar: 'm.sdd/n.sdz' and 'm.sdd' of the target at ",
			told(head .. target:format "m.sdd" .. target:format "m.sdd/n.sdz"))
		assert.matches("^build.lua:4: target.bar: 'm.sdd' and 'm.sdd/n.sdz' of the target at ",
			told(head .. target:format "m.sdd/n.sdz" .. target:format "m.sdd"))
		assert.equal("build.lua:3: output 'a\\10b.sdz' holds a control character",
			told(head .. target:format "a\\nb.sdz"))
	end)

	it("found while a target is made is told at the target", function()
		local dir = run.folder()
		run.write(dir .. "/build.lua", head .. "mw.target.bar{ out = 'm.sdz', terrain = land, info = {"
			.. " name = 'T', maxMetal = 1, extractorRadius = 90 }, files = { a = '../b' } }")
		local result = run.mapwright({ "build" }, { dir = dir })
		assert.equal(1, result.status)
		assert.equal("build.lua:3: error: m.sdz: path '../b' leaves the script's folder\n", result.err)
		assert.same({ "build.lua" }, run.files(dir))
	end)
end)

describe("further files", function()
	after_each(run.clean)

	it("of a folder keep their place below it, and what the build makes stays out", function()
		local dir = run.folder()
		core.fs.write(dir .. "/data/a.txt", "x")
		core.fs.write(dir .. "/data/s/b.txt", "x")
		run.write(dir .. "/build.lua", head .. "mw.target.bar{ out = 'm.sdz', terrain = land, info = {"
			.. " name = 'T', maxMetal = 1, extractorRadius = 90 }, files = { all = '.', one = 'data',"
			.. " ['two/'] = './data/', three = 'data/../data//s', [''] = 'data/s' } }")
		for _ = 1, 2 do
			assert.equal(0, run.mapwright({ "build" }, { dir = dir }).status)
			assert.same({ "all/build.lua", "all/data/a.txt", "all/data/s/b.txt", "b.txt", "mapinfo.lua",
				"maps/m.smf", "maps/m.smt", "one/a.txt", "one/s/b.txt", "three/b.txt", "two/a.txt",
				"two/s/b.txt" }, run.files(run.unpacked(dir .. "/m.sdz")))
		end
	end)
end)

describe("a wide spacing", function()
	it("finds the one place there is", function()
		local mw = require "mapwright"
		local land = mw.terrain { map_units = { 2, 2 }, min_height = 0, max_height = 9,
			force_size = true }
		for _, spacing in ipairs { 1500, 5000, 100000 } do
			local found = land:scatter { spacing = spacing }
			assert.equal(1, #found)
			assert.is_true(found[1].x >= 0 and found[1].x <= 1024)
			assert.is_true(found[1].z >= 0 and found[1].z <= 1024)
		end
	end)
end)

describe("the command line", function()
	after_each(run.clean)

	it("takes no empty file name and no absurd size: exit status 2", function()
		local dir = run.folder()
		for _, words in ipairs { { "new", "" }, { "build", "" }, { "info", "" },
			{ "preview", "x.sd7", "-o", "x.png", "--size", "0x0" },
			{ "preview", "x.sd7", "-o", "x.png", "--size", "99999" } } do
			local result = run.mapwright(words, { dir = dir })
			assert.equal(2, result.status, table.concat(words, " "))
			assert.matches("^mapwright: " .. words[1] .. ": ", result.err)
		end
	end)
end)
