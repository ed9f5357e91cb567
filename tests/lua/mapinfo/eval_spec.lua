-- mapinfo.lua as the engine has it: the language, both runs, files, options, old .smd.
local core = require "mapwright.core".mapinfo
local eval = require "mapwright.mapinfo.eval"
local run = require "run"
local sites = require "mapwright.mapinfo.site"

local function value_of(text, ...)
	local info, failure = core.run("return { v = " .. text .. " }", "mapinfo.lua", ...)
	if not info then error(failure.message, 2) end
	return info.v
end

local function failure_of(text, ...)
	local info, failure = core.run(text, "mapinfo.lua", ...)
	assert.is_nil(info)
	return failure
end

describe("the map parser's Lua", function()
	it("has the functions of 5.1 and no others", function()
		for name in ([[unpack loadstring load setfenv getfenv pcall xpcall rawget select tostring math.pow
			math.log10 math.tau table.getn table.maxn table.foreach table.foreachi string.gfind string.gmatch
			coroutine.wrap VFS.Include Spring.Echo Script.IsEngineMinVersion
			DontMessWithMyCase]]):gmatch "%S+" do
			assert.is_true(value_of(name .. " ~= nil"), name)
		end
		for name in ([[os io debug require dofile loadfile package collectgarbage newproxy utf8 bit32
			gcinfo Game string.dump string.pack table.unpack table.pack table.move math.tointeger
			math.type math.mod
			coroutine.close Map Spring.GetMapOptions rawlen warn]]):gmatch "%S+" do
			assert.is_true(value_of(name .. " == nil"), name)
		end
	end)

	it("holds numbers in 32 bits", function()
		assert.equal(0.3, value_of "0.1 + 0.2")
		assert.is_true(value_of "16777216 + 1 == 16777216")
		assert.equal("0.33333334", value_of "tostring(1 / 3)")
		assert.equal("5", value_of "10 / 2 .. ''")
		assert.equal("16777216", value_of "16777217 .. ''")
		assert.equal("1.0e+10", value_of "tostring(1e10)")
		assert.equal("+inf", value_of "tostring(math.huge)")
		assert.equal("-0.75", value_of "'' .. -3/4")
		assert.equal(4294967296, value_of "2 ^ 32")
		assert.equal(1, value_of "-5 % 3")
	end)

	it("steps through loops in 32 bits", function()
		assert.equal("0,0.1,0.2,0.3", value_of [[(function() local t = {}
			for x = 0, 0.35, 0.1 do t[#t + 1] = string.format("%.1f", x):gsub("%.0$", "") end
			return table.concat(t, ",") end)()]])
		assert.equal(10, value_of [[(function() local n = 0
			for i = 10, 1, -1 do n = n + 1 end return n end)()]])
	end)

	it("prints whole numbers for %d whatever they are", function()
		assert.equal("3|-3|7", value_of [[string.format("%d|%d|%d", 3.7, -3.7, "7")]])
	end)

	it("takes the escapes of 5.1", function()
		assert.equal("x41z A", value_of [["\x41\z \065"]])
	end)

	it("gives functions environments", function()
		assert.equal("inner outer", value_of [[(function()
			local function f() return word end
			setfenv(f, { word = "inner" })
			word = "outer"
			local g = loadstring("return word")
			return f() .. " " .. g() end)()]])
		assert.is_true(value_of "getfenv() == _G and getfenv(0) == _G and getfenv(print) == _G")
		assert.equal("kept", value_of [[(function() setfenv(1,
			{ w = "kept" }) return (function() return w end)() end)()]])
	end)

	it("has arg in functions that take any number", function()
		assert.equal(3, value_of "(function(...) return arg.n end)(1, 2, 3)")
		assert.equal(2, value_of "(function(...) return arg[2] end)(1, 2, 3)")
	end)

	it("walks tables in a fixed order", function()
		assert.equal("1b2baadc", value_of [[(function() local t, s = { dc = 1, aa = 1, [2] = "b",
			[1] = "b" }, ""
			for k, v in pairs(t) do s = s .. k .. (v == 1 and "" or v) end return s end)()]])
	end)

	it("refuses what 5.1 does not have, at the line", function()
		for text, part in pairs {
			["local a = 1\ngoto x"] = "'=' expected near 'x'",
			["local a = 1\nreturn { b = 3 // 2 }"] = "unexpected symbol near '/'",
			["local a = 1\nreturn { b = 1 & 2 }"] = "'}' expected near '&'",
			["local a <const> = 1\nb = 2"] = "unexpected symbol near '<'",
			["\nreturn {"] = "unexpected symbol near '<eof>'",
			["\nreturn { 1"] = "'}' expected near '<eof>'",
			["\n\nif x the"] = "'then' expected near 'the'",
			["\nlocal s = 'abc\n"] = "unfinished string near ''abc'",
			["\nlocal n = 3x"] = "malformed number near '3x'",
			["\nlocal s = [[a"] = "unfinished long string",
			["\nf\n(1)"] = "ambiguous syntax",
		} do
			local failure = failure_of(text)
			assert.equal("syntax", failure.kind)
			assert.is_truthy(failure.message:find(part, 1, true), failure.message)
		end
	end)

	it("closes what began in an earlier line by name", function()
		local failure = failure_of "function f()\nreturn 1\n"
		assert.equal("'end' expected (to close 'function' at line 1) near '<eof>'", failure.message)
		assert.equal(3, failure.line)
	end)

	it("names the line of an error that is raised", function()
		local failure = failure_of "local x\n\nlocal y = x.z"
		assert.same({ "runtime", 3, "mapinfo.lua" }, { failure.kind, failure.line, failure.file })
		assert.is_truthy(failure.message:find "local 'x'")
	end)

	it("lowers keys with the lower spelling winning", function()
		local info, events = core.run([[return { Gravity = 1, gravity = 2, A = { bB = 3 },
			X = 1, x = 2 }]], "m")
		assert.same({ gravity = 2, a = { bb = 3 }, x = 2 }, info)
		local kinds = {}
		for _, e in ipairs(events) do kinds[e.kind] = (kinds[e.kind] or 0) + 1 end
		assert.same({ ["case-duplicate"] = 2, ["mixed-case"] = 1 }, kinds)
		assert.same({ Gravity = 1 }, (core.run("DontMessWithMyCase(false) return { Gravity = 1 }", "m")))
	end)

	it("gives {} for a file without a table", function()
		for text, kind in pairs { [""] = "nil", ["return 5"] = "number", ["return nil"] = "nil" } do
			local info, _, what = core.run(text, "m")
			assert.same({}, info)
			assert.equal(kind, what)
		end
	end)
end)

describe("files of a map", function()
	local files = { ["mapconfig/mapinfo/2_b.lua"] = "return { n = (n or 0) + 2 }",
		["mapconfig/mapinfo/10_a.lua"] = "n = 5 return { n = 1 }", ["maps/x.smf"] = "",
			["a.txt"] = "text\0more" }

	local function in_map(text)
		local names = {}
		for name in pairs(files) do names[#names + 1] = name end
		table.sort(names)
		return value_of(text, names, function(name) return files[name] end)
	end

	it("are listed in order, with the folder as it was given", function()
		assert.same({ "MapConfig/mapinfo/10_a.lua", "MapConfig/mapinfo/2_b.lua" },
			in_map "VFS.DirList('MapConfig/mapinfo', '*.lua')")
		assert.same({ "mapconfig/mapinfo/" }, in_map "VFS.SubDirs('mapconfig/')")
		assert.same({ "a.txt" }, in_map "VFS.DirList('', '*.TXT')")
	end)

	it("are read to the first zero byte and looked up without case", function()
		assert.equal("text", in_map "VFS.LoadFile('A.TXT')")
		assert.is_true(in_map "VFS.FileExists('maps\\\\X.smf')")
		assert.equal("missing file", in_map "select(2, VFS.LoadFile('no'))")
	end)

	it("share the environment of who includes them, or get their own", function()
		assert.equal(7, in_map [[(function() VFS.Include('mapconfig/mapinfo/10_a.lua')
			return VFS.Include('mapconfig/mapinfo/2_b.lua').n end)()]])
		assert.equal(2, in_map "VFS.Include('mapconfig/mapinfo/2_b.lua', {}).n")
	end)

	it("are not reached outside of the map", function()
		for _, path in ipairs { "/etc/passwd", "../x", "a/../../x", "C:/x", "\\x" } do
			assert.is_nil(in_map(("VFS.LoadFile(%q)"):format(path)))
			assert.is_true(in_map(("not pcall(VFS.Include, %q)"):format(path)))
		end
	end)
end)

describe("a map", function()
	after_each(run.clean)

	it("is run twice: the scan has no files, no Map, no options", function()
		local site = sites.of { ["mapinfo.lua"] = [[
			return { name = Map and Spring.GetMapOptions and "game" or "scan", version = "2",
				files = #VFS.DirList("maps/") }]], ["maps/a.smf"] = "" }
		local result = eval.evaluate(site)
		assert.same({ name = "game", version = "2", files = 1 }, result.info)
		assert.same({ name = "scan", version = "2", files = 0 }, result.scan.info)
		assert.equal("scan 2", result.name)
	end)

	it("is named as the scanner does it", function()
		local function name(text)
			return eval.evaluate(sites.of { ["mapinfo.lua"] = text, ["maps/Rock.smf"] = "" }).name
		end
		assert.equal("A 1.0", name 'return { name = "A", version = "1.0" }')
		assert.equal("A v1", name 'return { name = "A v1", version = "1" }')
		assert.equal("A 2.000000", name 'return { name = "A", version = 2 }')
		assert.equal("A", name 'return { name = "A" }')
		assert.is_nil(name "return { version = '1' }")
		assert.equal("Rock", name "return { name = Map.fileName }")
	end)

	it("takes options as texts and overrides in the order of their names", function()
		local site = sites.of { ["mapinfo.lua"] = [[
			local m = { name = "a", gravity = 100, options = Spring.GetMapOptions
				and Spring.GetMapOptions() }
			for _, f in ipairs(VFS.DirList("mapconfig/mapinfo/", "*.lua")) do
				for k, v in pairs(VFS.Include(f)) do m[k] = v end
			end
			return m]], ["mapconfig/mapinfo/2.lua"] = "return { gravity = 2 }",
			["mapconfig/mapinfo/10.lua"] = "return { gravity = 10, tidalstrength = 3 }" }
		local result = eval.evaluate(site, { wind = "5" })
		assert.equal(2, result.info.gravity)
		assert.equal("5", result.info.options.wind)
		assert.same({ gravity = "mapconfig/mapinfo/2.lua", tidalstrength = "mapconfig/mapinfo/10.lua" },
			eval.origins(result))
	end)

	it("of old reads its .smd", function()
		local site = sites.of { ["maps/a.smf"] = "", ["maps/A.smd"] = [[
			[MAP] { // comment
				Description=Old; gravity=80; DetailTex=d.bmp;
				[WATER] { WaterDamage=20; WaterPlaneColor=0 0.5 1; }
				[LIGHT] { GroundSunColor=1 1 1; SunDir=0 1 0; }
				[TERRAINTYPE1] { name=Rock; TankMoveSpeed=0.5; }
				[TEAM0] { StartPosX=100; StartPosZ=200; }
				/* more */ }]] }
		local info = eval.evaluate(site).info
		assert.same({ "Old", "80", "20", "0 0.5 1", "1 1 1", "Rock", "0.5", "100", "200", "d.bmp" },
			{ info.description, info.gravity, info.water.damage, info.water.planecolor,
				info.lighting.grounddiffusecolor, info.terraintypes[1].name,
				info.terraintypes[1].movespeeds.tank, info.teams[0].startpos.x, info.teams[0].startpos.z,
				info.resources.detailtex })
		local list = require "mapwright.mapinfo.convert".effective(info)
		assert.same({ 80, { 0, 0.5, 1 }, 0.5 }, { list.gravity.value, list["water.planecolor"].value,
			list["terraintypes[1].movespeeds.tank"].value })
	end)

	it("is the same in a folder, a .sdz and a .sd7", function()
		local archive = require "mapwright.core".archive
		local items = { { name = "MapInfo.lua",
			bytes = "return VFS.Include and { name = 'a', n = #VFS.DirList('maps') }" },
			{ name = "maps/a.smf", bytes = "" }, { name = "maps/b.txt", bytes = "b" } }
		for _, kind in ipairs { "sdd", "sdz", "sd7" } do
			local path = run.folder() .. "/a." .. kind
			archive.write(path, kind, "fast", items)
			local site = sites.open(path)
			assert.same({ name = "a", n = 2 }, eval.evaluate(site).info)
			site.close()
		end
	end)

	it("does not follow links around a lone file", function()
		local dir = run.folder()
		os.execute(("mkdir %s/maps %s/out && echo secret > %s/out/x && ln -s ../out %s/maps/in && ln -s"
			.. " ../out/x %s/maps/x && echo seen > %s/maps/y"):gsub("%%s", dir))
		run.write(dir .. "/mapinfo.lua", [[return { name = "a", list = VFS.DirList("maps/"),
			x = VFS.LoadFile("maps/x"), y = VFS.LoadFile("maps/y"), z = VFS.LoadFile("maps/in/x") }]])
		assert.same({ name = "a", list = { "maps/y" }, y = "seen\n" },
			eval.evaluate(sites.open(dir .. "/mapinfo.lua")).info)
	end)

	it("says what its effective values are and clamps them", function()
		local convert = require "mapwright.mapinfo.convert"
		local list = convert.effective { gravity = -5, maxmetal = "2", voidwater = "yes", maphardness = 0,
			atmosphere = { minwind = 9, maxwind = 4 }, lighting = { sundir = { 0, 3, 4 },
			groundshadowdensity = 2, grounddiffusecolor = { 1, 2 } }, water = { numtiles = 40 } }
		local function of(path) return { list[path].value, list[path].from, list[path].note } end
		assert.same({ 0.001, "file", "clamped" }, of "gravity")
		assert.same({ 2, "file", "text" }, of "maxmetal")
		assert.same({ false, "default", "default" }, of "voidwater")
		assert.same({ 0.001, "file", "clamped" }, of "maphardness")
		assert.same({ 4, "file", "clamped" }, of "atmosphere.minwind")
		assert.same({ { 0, 0.6, 0.8, 1 }, "file" }, of "lighting.sundir")
		assert.same({ 1, "file", "clamped" }, of "lighting.groundshadowdensity")
		assert.same({ { 0.5, 0.5, 0.5 }, "default", "default" }, of "lighting.grounddiffusecolor")
		assert.same({ 500, "default" }, of "extractorradius")
		assert.same({ 4, "file", "ignored" }, of "water.numtiles")
	end)
end)
