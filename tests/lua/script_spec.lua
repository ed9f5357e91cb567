local core = require "mapwright.core"
local project = require "mapwright.project"
local run = require "run"
local script = require "mapwright.script"

-- Run a build script given as text; extra files beside it by name.
local function build(text, files)
	local dir = run.folder()
	for name, bytes in pairs(files or {}) do core.fs.write(dir .. "/" .. name, bytes) end
	core.fs.write(dir .. "/build.lua", text)
	project.begin { root = dir }
	return script.run(dir .. "/build.lua")
end

local function refused(text, files)
	local ok, message = pcall(build, text, files)
	assert.is_false(ok)
	return (tostring(message):gsub("^.*/build%.lua:", "build.lua:"))
end

describe("a build script", function()
	it("walks tables in a fixed order", function()
		assert.equal("1 2.5 a aa b", build [[
			local out = {}
			for k in pairs { b = 1, aa = 1, a = 1, [2.5] = 1, [1] = 1 } do out[#out + 1] = tostring(k) end
			return table.concat(out, " ")]])
		assert.equal("abc", build [[
			local out = ""
			for k in next, { c = 1, a = 1, b = 1 } do out = out .. k end
			return out]])
	end)

	it("has the same random numbers in every run", function()
		local text = "return math.random(1000), math.random(), math.random(5, 6)"
		local a = { build(text) }
		assert.same(a, { build(text) })
		assert.is_true(a[1] >= 1 and a[1] <= 1000 and a[2] >= 0 and a[2] < 1)
	end)

	it("may not read or make globals", function()
		assert.equal("build.lua:2: global 'mirorr' is not defined",
			refused "local mirror = 1\nreturn mirorr")
		assert.equal("build.lua:1: global 'prnt' is not defined (did you mean 'print'?)",
			refused "prnt(1)")
		assert.equal("build.lua:1: assignment to global 'x'; write 'local x = ...'", refused "x = 1")
	end)

	it("is told what to use instead of io and os", function()
		assert.matches("^build.lua:1: 'io' is not available in a build script: use mw.read",
			refused "io.open('x')")
	end)

	it("requires the mapper's own files", function()
		assert.equal(42, build("return require 'parts.wall'.thickness",
			{ ["parts/wall.lua"] = "return { thickness = 42 }" }))
		assert.matches("^build.lua:1: require: no module 'gone' %(looked for ", refused "require 'gone'")
	end)

	it("stays inside its folder", function()
		assert.matches("^build.lua:1: path '../x' leaves the script's folder",
			refused "return require 'mapwright'.read '../x'")
		assert.matches("is absolute", refused "return require 'mapwright'.read '/etc/passwd'")
	end)

	it("lists files joined, sorted and readable as they are", function()
		assert.equal("a.txt b.txt sub/c.txt|a.txt b.txt|C", build([[
			local mw = require "mapwright"
			local all = table.concat(mw.fs.list("tree"), " ")
			assert(all == "tree/a.txt tree/b.txt tree/sub/c.txt", all)
			local texts = table.concat(mw.fs.glob("tree/*.txt"), " ")
			return all:gsub("tree/", "") .. "|" .. texts:gsub("tree/", "")
				.. "|" .. mw.read(mw.fs.list("tree")[3])]],
			{ ["tree/b.txt"] = "B", ["tree/a.txt"] = "A", ["tree/sub/c.txt"] = "C" }))
	end)

	it("hints at a missing comma in the line before", function()
		assert.matches("is a comma missing at the end of the line before",
			refused "return {\n\ta = 1\n\tb = 2 }")
	end)

	it("guesses what a syntax error was meant to be", function()
		for text, hint in pairs {
			["return {\n\ta = 1 b = 2 }"] = "near 'b' %(is a comma missing before b%?%)$",
			["f{ a = {1}\nfor i = 1, 2 do end"] = "%(is a comma or a } missing at the end of the line",
			["f{ a = 1,\nfor i = 1, 2 do end"] = "near 'for'$",
			["for i = 1, 2 do"] = "near <eof>$",
			["// words"] = "%(a comment begins with %-%-%)$",
			["if 1 != 2 then end"] = "%('not equal' is ~=%)$",
			["if 1 && 2 then end"] = "%(write and%)$",
			["local a = 1; a += 1"] = "%(write a = a %+ 1%)$",
			["if a = 1 then end"] = "%('equal' is ==%)$",
		} do
			assert.matches(hint, refused(text))
		end
	end)

	it("takes -D values by the type of their defaults", function()
		local dir = run.folder()
		core.fs.write(dir .. "/build.lua", [[local mw = require "mapwright"
			return mw.define("seed", 3), mw.define("name", "x"), mw.define("fog", false)]])
		project.begin { root = dir, defines = { seed = "7", fog = "true" } }
		assert.same({ 7, "x", true }, { script.run(dir .. "/build.lua") })
	end)
end)
