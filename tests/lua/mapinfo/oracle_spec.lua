-- The corpus beside what the real Lua 5.1 makes of it.
local core = require "mapwright.core".mapinfo
local run = require "run"

local root = run.shared "corpus/mapinfo"
local has_51 = run.shell "command -v lua5.1".status == 0

-- The usual tail around a table, as maps have it.
local TAIL = [[
local mapinfo = { name = "Base", version = "1", gravity = 130, maxmetal = 1, extractorradius = 90,
	tidalstrength = 10, maphardness = 100, voidwater = false,
	smf = { minheight = -100, maxheight = 300 },
	atmosphere = { minwind = 5, maxwind = 25, fogstart = 0.1, fogend = 1, fogcolor = { 0.7, 0.7, 0.8 },
		skycolor = { 0.1, 0.15, 0.7 }, suncolor = { 1, 1, 1 }, cloudcolor = { 1, 1, 1 },
			clouddensity = 0.5 },
	lighting = { sundir = { 0, 1, 2 }, groundambientcolor = { 0.5, 0.5, 0.5 },
		grounddiffusecolor = { 0.5, 0.5, 0.5 }, groundspecularcolor = { 0.1, 0.1, 0.1 },
		groundshadowdensity = 0.8, unitambientcolor = { 0.4, 0.4, 0.4 }, unitdiffusecolor = { 0.7, 0.7,
			0.7 },
		unitspecularcolor = { 0.7, 0.7, 0.7 }, unitshadowdensity = 0.8, specularsuncolor = { 1, 1, 1 } },
	water = { damage = 0, surfacecolor = { 0.75, 0.8, 0.85 }, surfacealpha = 0.55, planecolor = { 0,
		0.4, 0 } },
	grass = { bladecolor = { 0.1, 0.4, 0.1 } }, resources = {}, custom = { fog = {},
		precipitation = {} },
	teams = { [0] = { startpos = { x = 100, z = 200 } }, [1] = { startpos = { x = 300, z = 400 } } },
	terraintypes = { [0] = { name = "Default", hardness = 1, movespeeds = { tank = 1, kbot = 1 } } } }
local function lowerkeys(t)
	local fix = {}
	for k, v in pairs(t) do
		if type(k) == "string" and k ~= k:lower() then fix[k] = v end
		if type(v) == "table" then lowerkeys(v) end
	end
	for k, v in pairs(fix) do t[k] = nil t[k:lower()] = v end
end
local function tmerge(a, b)
	for k, v in pairs(b) do
		if type(v) == "table" and type(a[k]) == "table" then tmerge(a[k], v) else a[k] = v end
	end
end
function tobool(v)
	local n = tonumber(v)
	if n then return n ~= 0 end
	return type(v) == "boolean" and v or v == "true"
end
getfenv()["mapinfo"] = mapinfo
local files = VFS.DirList("mapconfig/mapinfo/", "*.lua")
table.sort(files)
for i = 1, #files do
	local new = VFS.Include(files[i])
	if new then lowerkeys(new) tmerge(mapinfo, new) end
end
getfenv()["mapinfo"] = nil
return mapinfo
]]

local OPTIONS = {
	{},
	{ "timeofday=day", "weather=rain", "inv=0", "waterlevel=0", "dry=0" },
	{ "timeofday=dawn", "weather=fog", "inv=1", "waterlevel=50", "dry=1", "metal=2", "wind=low" },
	{ "timeofday=night", "weather=sandstorm", "inv=1", "waterlevel=-30", "tidal=20", "minwind=1" },
	{ "extractorradius=120", "metal=0.5", "maxwind=30", "minwind=3", "tidal=5", "gravity=100" },
	{ "dry=true", "waterlevel=10", "wateroption=acid", "lava=1", "snow=1" },
	{ "timeofday=dusk", "weather=snow", "waterdamage=30", "inv=0", "fog=1" },
}

local function case_line(file, override, options)
	return table.concat({ file, override or "-", table.unpack(options) }, "\t")
end

local function flatten(v, path, out)
	if type(v) == "table" then
		for k, inner in pairs(v) do
			local key = type(k) == "number" and ("[%.17g]"):format(k) or "." .. k
			flatten(inner, path .. key, out)
		end
		if next(v) == nil then out[path] = { "table" } end
	elseif type(v) == "number" then
		out[path] = { "number", core.float(v) }
	elseif v ~= nil then
		out[path] = { type(v), (tostring(v):gsub("[\r\n\t]", "?")) }
	end
end

local function ours(case)
	local options, names, text = {}, {}, run.read(case.file)
	for _, word in ipairs(case.options) do
		local name, value = word:match "^([^=]+)=(.*)$"
		options[name] = value
	end
	if case.override then names[1] = "mapconfig/mapinfo/x.lua" end
	return core.run(text, "mapinfo.lua", names, function() return run.read(case.override) end, options,
		{ fileName = "map.smf", fullName = "maps/map.smf", configFile = "maps/map.smd" })
end

local function compare(case, theirs)
	local info, failure, what = ours(case)
	local label = case.file .. " " .. (case.override or "") .. " " .. table.concat(case.options, " ")
	if theirs[1] and theirs[1]:match "^!syntax" or theirs[1] and theirs[1]:match "^!error" then
		local line = theirs[1]:match ":(%d+):"
		assert.is_nil(info, label)
		if line then assert.equal(tonumber(line), failure.line, label .. " " .. theirs[1]) end
		return "refused"
	elseif theirs[1] and theirs[1]:match "^!none" then
		assert.same({}, info)
		assert.is_not_equal(true, what)
		return "none"
	end
	if not info then error(label .. ": refused here: " .. failure.message) end
	local mine, seen = {}, {}
	flatten(info, "", mine)
	for _, line in ipairs(theirs) do
		local path, kind, value = line:match "^([^\t]*)\t([^\t]*)\t?(.*)$"
		seen[path] = true
		local got = mine[path]
		assert.is_truthy(got, label .. ": only Lua 5.1 has " .. path)
		assert.equal(kind, got[1], label .. " " .. path)
		if kind == "number" then
			local expected = core.float(tonumber(value) or (value:match "nan" and 0 / 0 or tonumber(value)))
			if got[2] ~= expected and math.abs(got[2] - expected) > 2e-7 * math.abs(expected) then
				error(("%s%s: %.9g, Lua 5.1 %.9g"):format(label, path, got[2], expected))
			end
		elseif kind ~= "table" and got[2] ~= value then
			error(("%s%s: %q, Lua 5.1 %q"):format(label, path, got[2], value))
		end
	end
	for path in pairs(mine) do assert.is_truthy(seen[path], label .. ": only here: " .. path) end
	return "same"
end

local function oracle(cases)
	local dir = run.folder()
	local lines = {}
	for i, case in ipairs(cases) do lines[i] = case_line(case.file, case.override, case.options) end
	run.write(dir .. "/list", table.concat(lines, "\n") .. "\n")
	local result = run.shell("lua5.1 tests/support/oracle51.lua " .. dir .. "/list")
	assert.equal("", result.err)
	local runs = {}
	for line in result.out:gmatch "[^\n]+" do
		if line == "=run" then runs[#runs + 1] = {} else table.insert(runs[#runs], line) end
	end
	assert.equal(#cases, #runs)
	local count = { same = 0, refused = 0, none = 0 }
	for i, case in ipairs(cases) do
		local how = compare(case, runs[i])
		count[how] = count[how] + 1
	end
	run.clean()
	return count
end

describe("mapinfo and Lua 5.1", function()
	if not root or not has_51 then
		pending(root and "lua5.1 is not installed" or "no corpus beside this checkout")
		return
	end

	it("agree about every file of the corpus with every set of options", function()
		local cases = {}
		for i = 1, 90 do
			for _, options in ipairs(OPTIONS) do
				cases[#cases + 1] = { file = ("%s/%03d.lua"):format(root, i), options = options }
			end
		end
		local count = oracle(cases)
		print(("# %d same, %d refused at the same line, %d without a table"):format(count.same,
			count.refused,
			count.none))
		assert.equal(84 * #OPTIONS, count.same)
	end)

	it("agree about every override of the corpus", function()
		local dir = run.folder()
		run.write(dir .. "/base.lua", TAIL)
		local cases = {}
		for i = 1, 34 do
			for _, options in ipairs(OPTIONS) do
				cases[#cases + 1] = { file = dir .. "/base.lua", options = options,
					override = ("%s/../overrides/%03d.lua"):format(root, i) }
			end
		end
		-- compare() reads the file again, so the folder stays until the end
		local count = oracle(cases)
		print(("# %d same, %d refused at the same line"):format(count.same, count.refused))
		assert.is_true(count.same > 150)
	end)

	it("evaluate what the index says that runs with 5.1's ways", function()
		local header
		for line in io.lines(root .. "/index.tsv") do
			local f = {}
			for field in (line .. "\t"):gmatch "([^\t]*)\t" do f[#f + 1] = field end
			if not header then
				header = f
			else
				local column
				for i, name in ipairs(header) do
					if name == "lua54_stub_with_51_shim" then column = i end
				end
				local info, failure = ours { file = root .. "/" .. f[1], options = {} }
				if f[column]:match "^ok" or f[column]:match "^NOTABLE" then
					assert.is_truthy(info, f[1])
				else
					assert.is_nil(info, f[1])
					local at = f[column]:match "mapinfo%.lua:(%d+)"
					if at then assert.equal(tonumber(at), failure.line, f[1]) end
				end
			end
		end
	end)
end)
