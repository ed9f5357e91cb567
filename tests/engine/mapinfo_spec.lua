-- mapinfo.lua: what the engine's own Lua parser reads, value by value, beside what eval gives.
local core = require "mapwright.core".mapinfo
local judge = require "judge"
local mini_map = require "mini_map"
local run = require "run"

local available, why = judge.available()

-- A folder map around one mapinfo.lua.
local function map_of(text, files)
	local dir = run.folder() .. "/case.sdd"
	os.execute("mkdir -p " .. dir .. "/maps " .. dir .. "/mapconfig/mapinfo")
	local smf, smt = mini_map.make()
	run.write(dir .. "/maps/map.smf", smf)
	run.write(dir .. "/maps/mini.smt", smt)
	run.write(dir .. "/mapinfo.lua", text)
	for name, content in pairs(files or {}) do run.write(dir .. "/" .. name, content) end
	return dir
end

local function differences(ours, theirs, path, out)
	if type(ours) == "table" and type(theirs) == "table" then
		local keys = {}
		for k in pairs(ours) do keys[tostring(k)] = ours[k] end
		for k, v in pairs(keys) do -- the judge takes a key with a point for a path
			if not k:find(".", 1, true) then differences(v, theirs[k], path .. "." .. k, out) end
		end
		for k in pairs(theirs) do
			if not k:find(".", 1, true) and keys[tostring(k)] == nil then out[#out + 1] = path .. "." .. k
				.. ": only the engine has it" end
		end
	elseif type(ours) == "number" and type(theirs) == "number" then
		if core.float(ours) ~= core.float(theirs) then
			out[#out + 1] = ("%s: %.9g, the engine %.9g"):format(path, ours, theirs)
		end
	elseif type(ours) == "string" and type(theirs) == "string" then
		if ours:gsub("[\128-\255]+", "?") ~= theirs:gsub("[\128-\255]+", "?") then
			out[#out + 1] = ("%s: %q, the engine %q"):format(path, ours, theirs)
		end
	elseif ours ~= theirs then
		out[#out + 1] = ("%s: %s, the engine %s"):format(path, tostring(ours), tostring(theirs))
	end
end

local function ours_of(dir)
	local site = require "mapwright.mapinfo.site".open(dir)
	-- the lobby library gives no map options, and none exist
	local text = site.read "mapinfo.lua"
	local info, failure = core.run(text, "mapinfo.lua", site.names, site.read, nil,
		{ fileName = "map.smf", fullName = "maps/map.smf", configFile = "maps/map.smd" })
	site.close()
	return info, failure
end

local function compare(text, files)
	local dir = map_of(text, files)
	local report = judge.unitsync(dir)
	local map = report.maps and report.maps[1] or {}
	local info, failure = ours_of(dir)
	local out = {}
	if not map.mapinfo then
		if info then
			out[1] = "the engine refuses it: " .. tostring(map.mapinfo_error or report.reason)
		end
	elseif not info then
		out[1] = "refused here: " .. failure.message
	else
		differences(info, map.mapinfo, "", out)
	end
	run.clean()
	return out, map
end

describe("mapinfo and the engine's parser", function()
	if not available then
		pending("say nothing here: " .. why)
		return
	end

	it("agree about how numbers become text", function()
		local out = compare [[
			local t = { name = "Numbers", version = "1" }
			local values = { 10/2, 16777217, 1/3, 1e10, 1e-5, 1e-7, -1/3, 123456.789, 0.1, 100.5, 1e20,
				-1e-9, 2147483647, 2147483648, 99999.99, 0.05, 33554432.5, 12345678.9, -12345.678, 7e-4 }
			t.texts = {}
			for i, v in ipairs(values) do t.texts[i] = tostring(v) .. "|" .. v end
			t.sums = { 0.1 + 0.2, 1/3 + 1/3, 2^0.5, 5 % 3, -5 % 3, 5.5 % -2, 1e8 + 1, 7 / 2 }
			for x = 0, 1, 0.1 do t.sums[#t.sums + 1] = x end
			return t
		]]
		assert.same({}, out)
	end)

	it("agree about string.format", function()
		local out = compare [[
			local t = { name = "Format", version = "1", texts = {} }
			local values = { 3.14159, -2.5, 100, 1e10, 0.001, 12345.678, -0.75, 1/3, 2.9999 }
			local formats = { "%f", "%g", "%e", "%.3f", "%+.1f", "%10.3f", "%.0f", "%05.1f", "%-8.2f|", "%G",
				"%.10f", "%5d", "%-5d|", "%+d", "%i", "%05i", "% d", "%.4d" }
			for _, f in ipairs(formats) do
				for _, v in ipairs(values) do t.texts[#t.texts + 1] = f .. " " .. string.format(f, v) end
			end
			for _, f in ipairs { "%5s", "%.2s", "%-6s|", "%s", "%q", "%10.3s" } do
				t.texts[#t.texts + 1] = string.format(f, "hello")
				t.texts[#t.texts + 1] = f ~= "%q" and string.format(f, 1.5) or ""
			end
			t.texts[#t.texts + 1] = string.format("%c%c %x %X %o %u %%", 65, 66, 255, 255, 8, 7)
			return t
		]]
		assert.same({}, out)
	end)

	it("agree about the library", function()
		local out = compare [[
			local t = { name = "Library", version = "1" }
			t.found = { string.find("hello world", "o w") , string.find("a+b", "+", 1, true),
				(string.gsub("hello", "l+", "<%0>")), string.match("key = value", "(%w+)%s*=%s*(%w+)"),
				string.format("%5.2f|%d|%s|%q|%x|%-5s|%05d", 3.14159, 3.7, 10/2, 'a"b', 255, "ab", 42),
				("x"):rep(3), ("abc"):upper(), #"abc", ("%bxy"):len(), table.concat({1, 2, 3}, "-"),
				select("#", 1, 2, 3), unpack({7, 8}), table.getn({1, 2, 3}), math.floor(-1.5), math.ceil(1.2),
				math.max(1, 5, 3), math.fmod(7, 3), math.pow(2, 10), math.abs(-3), math.sqrt(2), math.pi,
				tonumber("0x10"), tonumber("  12  "), tonumber("1e2"), tostring(nil), tostring(true),
				type(math.random), type(VFS.Include), type(Spring.Echo), type(Game), type(io),
				loadstring("return 1 + 1")(), math.log10(1000), math.deg(1), ("a,b,c"):find(",", 1, true) }
			local f = setfenv(function() return hidden end, { hidden = "seen" })
			t.env = f()
			t.words = {}
			for word in ("one two three"):gmatch("%a+") do t.words[#t.words + 1] = word end
			t.coerced = { "10" + 5, "3" * "4", 10 .. 20, -"2" }
			t.modified = { ("x = 1, y = 2"):gsub("(%w+) = (%w+)", "%2 = %1") }
			return t
		]]
		assert.same({}, out)
	end)

	it("agree about keys that differ in case", function()
		local out = compare [[
			return { name = "Case", version = "1", Gravity = 1, gravity = 2, Atmosphere = { MinWind = 3 },
				[1] = "one", [2.5] = nil, nested = { A = { B = { C = 1 } } } }
		]]
		assert.same({}, out)
	end)

	it("agree about overrides", function()
		local out = compare([[
			local mapinfo = { name = "Over", version = "1", gravity = 100 }
			getfenv()["mapinfo"] = mapinfo
			local files = VFS.DirList("mapconfig/mapinfo/", "*.lua")
			mapinfo.files = files
			table.sort(files)
			for i = 1, #files do
				local new = VFS.Include(files[i])
				if new then for k, v in pairs(new) do mapinfo[k:lower()] = v end end
			end
			mapinfo.dirs = VFS.SubDirs("mapconfig/")
			mapinfo.missing = { VFS.LoadFile("nothing.lua") }
			mapinfo.text = VFS.LoadFile("mapconfig/mapinfo/2_b.lua")
			mapinfo.ok = pcall(VFS.Include, "nothing.lua")
			getfenv()["mapinfo"] = nil
			return mapinfo
		]], { ["mapconfig/mapinfo/10_A.lua"] = "return { Gravity = 110 }",
			["mapconfig/mapinfo/2_b.lua"] = "mapinfo.tidal = 5 return { gravity = 120 }" })
		assert.same({}, out)
	end)

	it("agree about what is no Lua 5.1", function()
		for _, text in ipairs { "goto x", "return { a = 3 // 2 }", "return { a = 1 & 2 }",
			"\239\187\191return {}", "#!lua\nreturn {}", "return { a = }", "x = = 1" } do
			assert.same({}, (compare(text)))
		end
	end)

	it("agree about every file of the corpus", function()
		local root = run.shared "corpus/mapinfo"
		if not root then return pending "no corpus beside this checkout" end
		local compared, refused = 0, {}
		for i = 1, 90 do
			local name = ("%03d.lua"):format(i)
			local out, map = compare(run.read(root .. "/" .. name))
			assert.same({}, out, name)
			if map.mapinfo then compared = compared + 1 else refused[#refused + 1] = name end
		end
		print(("# %d files compared, refused by both: %s"):format(compared, table.concat(refused, " ")))
		assert.is_true(compared >= 80)
	end)

	local function near(a, b)
		return math.abs(a - b) <= 1e-4 * math.max(1, math.abs(a), math.abs(b))
	end

	it("simulate with what eval --effective prints (ten files)", function()
		local root = run.shared "corpus/mapinfo"
		if not root then return pending "no corpus beside this checkout" end
		local convert = require "mapwright.mapinfo.convert"
		local compared = 0
		local names = { "001", "029", "034", "049", "055", "058", "066", "068", "077", "083" }
		for _, name in ipairs(names) do
			local text = run.read(("%s/%s.lua"):format(root, name))
				:gsub('(mapfile%s*=%s*)"[^"]*"', '%1"maps/map.smf"')
			local dir = map_of(text)
			local report = judge.engine(dir).report
			assert.is_truthy(report and report.map and report.map[1], name)
			local map, list = report.map[1], convert.effective((core.run(text, "mapinfo.lua", {},
				function() end, {}, { fileName = "map.smf", fullName = "maps/map.smf",
					configFile = "maps/map.smd" })))
			local function check(path, got, factor)
				local want = list[path].value
				if type(want) == "table" then
					for i = 1, #got do
						assert.is_true(near(want[i], got[i]), ("%s %s[%d]: %s, the engine %s"):format(name,
							path, i, want[i], got[i]))
					end
				else
					assert.is_true(near(want * (factor or 1), got), ("%s %s: %s, the engine %s"):format(
						name, path, want, got))
				end
				compared = compared + 1
			end
			check("gravity", map.gravity)
			check("tidalstrength", map.tidal)
			check("extractorradius", map.extractorRadius)
			check("maphardness", map.hardness)
			check("atmosphere.minwind", map.windMin)
			check("atmosphere.maxwind", map.windMax)
			check("water.damage", map.waterDamage, 0.5)
			for _, row in ipairs(report.render) do
				local path = row.group:lower() .. "." .. row.name:lower()
				-- the judge's engine has another default there than Recoil
				local same = path ~= "water.numtiles"
				local value = same and list[path] and row.values and list[path].value
				if type(value) == "number" or type(value) == "table" then
					check(path, #row.values > 1 and row.values or row.values[1])
				end
			end
			for _, row in ipairs(report.terrain) do
				local here = ("terraintypes[%d]."):format(row.index)
				if list[here .. "name"] then
					assert.equal(list[here .. "name"].value, row.values[2], name)
					check(here .. "hardness", row.values[3])
					for i, kind in ipairs { "tank", "kbot", "hover", "ship" } do
						check(here .. "movespeeds." .. kind, row.values[3 + i])
					end
				end
			end
			run.clean()
		end
		print(("# %d values of %d files compared"):format(compared, #names))
	end)
end)
