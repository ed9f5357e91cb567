local run = require "run"
local write = require "mapwright.mapinfo.write"

local have_51 = run.shell "lua5.1 -v".status == 0

-- What lua5.1 makes of a mapinfo text: "path=value" lines, sorted; numbers as float32 with nine
-- digits, which tell every float32 from every other.
local reader = [[
local chunk, problem = loadstring(io.open(arg[1], "rb"):read("*a"), "mapinfo.lua")
assert(chunk, problem)
local lines = {}
local function walk(path, v)
	if type(v) == "table" then
		lines[#lines + 1] = path .. "={}"
		for k, inner in pairs(v) do
			walk(path .. "/" .. (type(k) == "number" and "#" or "") .. tostring(k), inner)
		end
	elseif type(v) == "number" then
		lines[#lines + 1] = path .. "=" .. string.format("%.17g", v)
	else
		lines[#lines + 1] = path .. "=" .. type(v) .. ":" .. tostring(v):gsub("%c", function(c)
			return "<" .. c:byte() .. ">" end)
	end
end
%s
walk("", chunk())
table.sort(lines)
io.write(table.concat(lines, "\n"))
]]

local function float32(v)
	return (string.unpack("<f", string.pack("<f", v)))
end

-- The same lines of the table itself, keys in lower case as the tail makes them.
local function lines_of(info)
	local lines = {}
	local function walk(path, v)
		if type(v) == "table" then
			lines[#lines + 1] = path .. "={}"
			for k, inner in pairs(v) do
				walk(path .. "/" .. (math.type(k) and "#%d" or "%s"):format(
					math.type(k) and k or k:lower()), inner)
			end
		elseif type(v) == "number" then
			lines[#lines + 1] = { path, v }
		else
			lines[#lines + 1] = path .. "=" .. type(v) .. ":" .. tostring(v):gsub("%c", function(c)
				return "<" .. c:byte() .. ">" end)
		end
	end
	walk("", info)
	return lines
end

local function lua51(text, before)
	local path = os.tmpname()
	local script = os.tmpname()
	run.write(path, text)
	run.write(script, (reader:gsub("%%s\n", function() return (before or "") .. "\n" end)))
	local result = run.shell("lua5.1 " .. run.quote(script) .. " " .. run.quote(path))
	os.remove(path)
	os.remove(script)
	assert(result.status == 0, result.err)
	return result.out
end

-- Everything lua5.1 read is what was meant: strings exactly, numbers as float32.
local function assert_reads_back(info)
	local got = {}
	for line in (lua51(write(info)) .. "\n"):gmatch "([^\n]*)\n" do
		local path, value = line:match "^(.-)=(.*)$"
		got[path] = value
	end
	local n = 0
	for _, line in ipairs(lines_of(info)) do
		n = n + 1
		if type(line) == "table" then
			assert.equal(float32(line[2]), float32(tonumber(got[line[1]])), line[1])
		else
			local path, value = line:match "^(.-)=(.*)$"
			assert.equal(value, got[path], path)
		end
	end
	local m = 0
	for _ in pairs(got) do m = m + 1 end
	assert.equal(n, m)
end

local function refused(info)
	local ok, message = pcall(write, info)
	assert.is_false(ok)
	return (tostring(message):gsub("^.-write_spec%.lua:%d+: ", ""))
end

-- The table alone, without the tail.
local function body(info)
	local text = write(info, { tail = false }):gsub("^local mapinfo = ", "")
	return (text:gsub("\n\nreturn mapinfo\n$", ""))
end

describe("mapinfo.lua", function()
	it("is written in the engine's key order, unknown keys sorted after the known ones", function()
		assert.equal([[{
	name = "X",
	version = "1",
	mapfile = "maps/x.smf",
	modtype = 3,
	depend = { "Map Helper v1" },
	gravity = 100,
	maxMetal = 1.5,
	EXTRACTORRADIUS = 90,
	aaa = true,
	zzz = "z",
	smf = {
		minheight = -100,
		maxHeight = 200,
		smtFileName0 = "a.smt",
		smtFileName2 = "c.smt",
		smtFileName10 = "b.smt",
	},
	water = {
		damage = 1,
		planeColor = { 0, 0.25, 1 },
		own = 1,
	},
	teams = {
		[0] = { startPos = { x = 1, z = 2 } },
		[1] = { startPos = { x = 3, z = 4 } },
	},
	custom = {
		a = 1,
	},
	aTable = {
		1,
		2,
	},
}]], (body {
			zzz = "z", aaa = true, name = "X", version = "1", EXTRACTORRADIUS = 90, maxMetal = 1.5,
			gravity = 100, modtype = 3, mapfile = "maps/x.smf", depend = { "Map Helper v1" },
			smf = { smtFileName10 = "b.smt", smtFileName2 = "c.smt", smtFileName0 = "a.smt",
				maxHeight = 200, minheight = -100 },
			water = { own = 1, planeColor = { 0, 0.25, 1 }, damage = 1 },
			teams = { [1] = { startPos = { z = 4, x = 3 } }, [0] = { startPos = { z = 2, x = 1 } } },
			custom = { a = 1 },
			aTable = { 1, 2 },
		}:gsub("aTable = { 1, 2 }", "aTable = {\n\t\t1,\n\t\t2,\n\t}")))
	end)

	it("has the same text for the same table, however it was made", function()
		local a, b = { name = "X" }, {}
		for i = 1, 40 do a["k" .. i] = i end
		for i = 40, 1, -1 do b["k" .. i] = i end
		b.name = "X"
		assert.equal(write(a), write(b))
	end)

	it("writes numbers shortest for a float32, whole ones without a point", function()
		assert.equal([[{
	a = { 1, 0.1, 0.33333334, -2.5, 100000, 1e+30, 0, 16777217, 1e-05 },
}]], (body { a = { 1.0, 0.1, 1 / 3, -2.5, 1e5, 1e30, -0.0, 16777217, 1e-5 } }
			:gsub("0%.00001", "1e-05"):gsub("\t\t", "")))
	end)

	it("numbers teams and terrain types explicitly", function()
		assert.equal([[{
	terrainTypes = {
		[1] = { name = "a", hardness = 1 },
		[2] = { name = "b" },
	},
}]], body { terrainTypes = { { hardness = 1, name = "a" }, { name = "b" } } })
	end)

	it("begins with the local table, which readers that run no Lua look for", function()
		assert.matches("^local mapinfo = {\n", write { name = "X" })
		assert.matches("\nreturn mapinfo\n$", write { name = "X" })
	end)

	it("quotes what Lua 5.1 would misread", function()
		local text = write { name = "X", custom = { ["end"] = 'a"b\\c\n\1' .. "2\127é", ["1x"] = 1 } }
		assert.matches('["end"] = "a\\"b\\\\c\\n\\0012\\127é"', text, 1, true)
		assert.matches('["1x"] = 1', text, 1, true)
	end)

	it("refuses what would break the engine", function()
		local loop = {}
		loop.loop = loop
		assert.equal("info.custom.loop is a table that contains itself", refused { custom = loop })
		assert.matches("^info%.gravity = nan: the engine's numbers are float32",
			refused { gravity = 0 / 0 })
		assert.matches("^info%.a%[2%] = 1e%+39: ", refused { a = { 1, 1e39 } })
		assert.matches("^info%.a = %-?inf", refused { a = -math.huge })
		assert.equal("info has both 'Gravity' and 'gravity', which are one key to the engine",
			refused { gravity = 1, Gravity = 2 })
		assert.matches("^info%.f is a function; mapinfo holds", refused { f = print })
		assert.matches("^info has a key that is a fraction", refused { [1.5] = 1 })
		assert.matches("^info%.t has a key that is a boolean", refused { t = { [true] = 1 } })
		assert.matches("^info%.version must be a string, got 1: the engine makes '1.000000' of it",
			refused { version = 1 })
		assert.matches("^info%.name is empty", refused { name = "" })
		assert.matches("^info%.name = 'a;b' holds ';'", refused { name = "a;b" })
		assert.matches("^info%.author holds a zero byte", refused { author = "a\0b" })
		assert.matches('^info%["end"%]: not a plain name', refused { ["end"] = 1 })
		assert.matches('^info%["a b"%]: not a plain name', refused { ["a b"] = "x" })
		local deep = {}
		for _ = 1, 80 do deep = { deep } end
		assert.matches("nested deeper than", refused { custom = deep })
	end)

	if not have_51 then
		pending "reads back in Lua 5.1: no lua5.1 here"
		return
	end

	it("reads back in Lua 5.1", function()
		assert_reads_back {
			name = "Ünïcode", version = "1.0", description = 'l1\nl2\t"q" \\ \r \27[0m\0019',
			maxMetal = 1 / 3, tidalStrength = 0.1, big = 16777216, tiny = 1e-38, neg = -0.75,
			flag = true, off = false,
			atmosphere = { fogColor = { 0.1, 0.2, 0.3 }, ["and"] = 1, ["not a name"] = { 1, { 2 } } },
			terrainTypes = { [0] = { name = "a" }, [255] = { moveSpeeds = { tank = 0.7 } } },
			teams = { [0] = { startPos = { x = 1, z = 2.5 } } }, empty = {},
		}
	end)

	it("reads back in Lua 5.1 whatever is in it", function()
		local rng = require "mapwright.core".base.rng(42, "mapinfo")
		local function below(n) return rng:below(n) end
		local function text()
			local out = {}
			for i = 1, below(12) do out[i] = string.char(1 + below(255)) end
			return table.concat(out)
		end
		local function value(depth)
			local kind = below(depth > 3 and 4 or 6)
			if kind == 0 then return below(2) == 0 end
			if kind == 1 then return text() end
			if kind == 2 then return below(100000) - 50000 end
			if kind == 3 then return (rng:unit() - 0.5) * 10.0 ^ (below(60) - 30) end
			local t = {}
			for i = 1, below(5) do
				-- keys differ without regard to case
				local key = kind == 4 and i or ("k%d%s"):format(i, text():gsub("[%a=/%c]", "q"))
				t[key] = value(depth + 1)
			end
			return t
		end
		for i = 1, 25 do
			local info = { name = "map " .. i }
			for k = 1, 20 do info["key" .. k] = value(1) end
			assert_reads_back(info)
		end
	end)

	it("takes overrides of mapconfig/mapinfo in the order of their names", function()
		local out = lua51(write { name = "X", gravity = 1, water = { damage = 1, repeatX = 2 },
			lighting = { sunDir = { 1, 2, 3 } } }, [[
			local files = {
				["mapconfig/mapinfo/1_a.lua"] = "return { GRAVITY = 2, Water = { Damage = 5 }, "
					.. "Lighting = { SunDir = { 7 } } }",
				["mapconfig/mapinfo/2_b.lua"] = "if tobool(Spring.GetMapOptions().none) then error() end "
					.. "mapinfo.gravity = mapinfo.gravity + 1 "
					.. "loadstring('mapinfo.tidalstrength = 9')()",
			}
			Spring = {}
			VFS = {
				DirList = function(dir, pattern)
					assert(dir == "mapconfig/mapinfo/" and pattern == "*.lua")
					return { "mapconfig/mapinfo/2_b.lua", "mapconfig/mapinfo/1_a.lua" }
				end,
				Include = function(name) return assert(loadstring(files[name]))() end,
			}]])
		assert.matches("/gravity=3\n", out)
		assert.matches("/tidalstrength=9\n", out)
		assert.matches("/water/damage=5\n", out)
		assert.matches("/water/repeatx=2\n", out)
		assert.matches("/lighting/sundir/#1=7\n", out)
		assert.matches("/lighting/sundir/#3=3\n", out)
	end)

	it("runs where only its text is run", function()
		-- the archive scanner: no map files, no Map, no GetMapOptions
		local out = lua51(write { name = "X" }, [[
			Spring = {}
			VFS = { DirList = function() return {} end, Include = function() error("not mounted") end }]])
		assert.equal("/name=string:X\n={}", out)
		out = lua51(write { name = "X" }, "Spring = {} VFS = {}")
		assert.equal("/name=string:X\n={}", out)
	end)

	it("leaves no global behind", function()
		local out = lua51(write { name = "X" }, [[
			Spring = {}
			VFS = { DirList = function() return {} end }
			local walk_ = walk
			walk = function(path, v)
				if path == "" then v.global = tostring(rawget(_G, "mapinfo")) end
				walk_(path, v)
			end]])
		assert.matches("/global=string:nil", out)
	end)
end)
