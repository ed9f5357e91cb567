-- mapwright eval and mapwright lint from the outside.
local json = require "mapwright.core".base.json_read
local rules = require "mapwright.mapinfo.rules"
local level_rules = require "mapwright.levellint.rules"
local run = require "run"

local MAP = [[
local mapinfo = {
	name = "Vale", version = 2, mapfile = "maps/a.smf", modtype = 3,
	maxMetal = 1, extractorRadius = 90,
	gravty = 100,
	lighting = { sunStartAngle = 0, sunDir = { 0, 1, 2, 1e9 } },
	voidWater = 1,
}
return mapinfo
]]

local function folder(files)
	local dir = run.folder()
	for name, text in pairs(files) do
		local sub = name:match "^(.*)/"
		if sub then os.execute("mkdir -p " .. run.quote(dir .. "/" .. sub)) end
		run.write(dir .. "/" .. name, text)
	end
	return dir
end

local function lint(dir, ...)
	return run.mapwright({ "lint", ... }, { dir = dir })
end

local function eval(dir, ...)
	return run.mapwright({ "eval", ... }, { dir = dir })
end

describe("mapwright lint", function()
	after_each(run.clean)

	it("prints file, line, column, severity, message and id", function()
		local r = lint(folder { ["mapinfo.lua"] = MAP }, "mapinfo.lua")
		assert.equal(0, r.status)
		assert.is_truthy(r.out:find("mapinfo.lua:4:2: warning: unknown key 'gravty'"
			.. " (did you mean 'gravity'?): the"
			.. " engine only keeps it as an item for lobbies [unknown-key]", 1, true), r.out)
		assert.is_truthy(r.out:find("mapinfo.lua:2:27: warning: the version is a number", 1, true))
		assert.is_truthy(r.err:find "0 errors, 4 warnings, 3 notes", r.err)
	end)

	it("fails on errors, and on warnings only when asked", function()
		local dir = folder { ["a.lua"] = "return { gravity = {} }", ["b.lua"] = MAP }
		assert.equal(1, lint(dir, "a.lua").status)
		assert.equal(0, lint(dir, "b.lua").status)
		assert.equal(1, lint(dir, "b.lua", "--max-warnings=3").status)
		assert.equal(0, lint(dir, "b.lua", "--max-warnings=4").status)
		assert.equal(2, lint(dir).status)
		assert.equal(2, lint(dir, "b.lua", "--disable=unknwon-key").status)
		assert.equal(2, lint(dir, "b.lua", "--write").status)
		assert.equal(1, lint(dir, "none.lua").status)
	end)

	it("leaves out what is disabled or allowed", function()
		local dir = folder { ["a.lua"] = MAP, ["b.lua"] = MAP:gsub("gravty = 100,",
			"%0 -- mapwright: allow unknown-key"),
			["c.lua"] = "-- mapwright: allow unknown-key, numeric-version\n" .. MAP }
		assert.is_nil(lint(dir, "a.lua", "--disable=unknown-key").out:find "unknown%-key")
		assert.is_nil(lint(dir, "b.lua").out:find "unknown%-key")
		assert.is_truthy(lint(dir, "b.lua").out:find "numeric%-version")
		local c = lint(dir, "c.lua").out
		assert.is_nil(c:find "unknown%-key")
		assert.is_nil(c:find "numeric%-version")
		assert.is_truthy(c:find "sundir%-w%-legacy")
	end)

	it("gives JSON", function()
		local r = lint(folder { ["a.lua"] = MAP }, "a.lua", "--format=json")
		local doc = json(r.out)
		assert.equal(4, doc.warnings)
		assert.equal(#doc.findings, doc.errors + doc.warnings + doc.infos)
		for _, f in ipairs(doc.findings) do
			assert.is_truthy(f.id and f.severity and f.message and f.file == "a.lua" and f.line >= 1
				and f.col >= 1)
		end
	end)

	it("gives SARIF with a region in every result", function()
		local r = lint(folder { ["my map.lua"] = MAP .. "x = 1" , ["b.lua"] = MAP }, "my map.lua",
			"b.lua",
			"--format=sarif")
		local doc = json(r.out)
		assert.equal("2.1.0", doc.version)
		local one = doc.runs[1]
		assert.equal(#rules + #level_rules, #one.tool.driver.rules)
		assert.is_true(#one.results > 5)
		for _, result in ipairs(one.results) do
			local place = result.locations[1].physicalLocation
			assert.is_true(place.region.startLine >= 1 and place.region.startColumn >= 1)
			assert.is_true(place.region.endColumn > place.region.startColumn)
			assert.equal(result.ruleId, one.tool.driver.rules[result.ruleIndex + 1].id)
			assert.is_truthy(place.artifactLocation.uri == "my%20map.lua"
				or place.artifactLocation.uri == "b.lua")
		end
	end)

	it("lists and explains its rules", function()
		local listed = {}
		for line in lint(nil, "--rules").out:gmatch "[^\n]+" do
			listed[#listed + 1] = line:match "^%S+"
		end
		assert.equal(#rules + #level_rules, #listed)
		for i, rule in ipairs(rules) do
			assert.equal(rule.id, listed[i])
			assert.is_truthy(rule.id:match "^%l[%l%d%-%.]*$" and rule.text ~= "" and rule.title ~= "")
		end
		local r = lint(nil, "--explain", "unknown-key")
		assert.is_truthy(r.out:find "^unknown%-key: " and r.out:find "Severity: warning")
		local bad = lint(nil, "--explain=unknwn-key")
		assert.equal(2, bad.status)
		assert.is_truthy(bad.err:find "did you mean 'unknown%-key'")
	end)

	it("shows its fixes and writes them only when told to", function()
		local dir = folder { ["mapinfo.lua"] = MAP }
		local shown = lint(dir, "mapinfo.lua", "--fix")
		assert.equal(MAP, run.read(dir .. "/mapinfo.lua"))
		assert.is_truthy(shown.out:find('-\tname = "Vale", version = 2,', 1, true), shown.out)
		assert.is_truthy(shown.out:find('+\tname = "Vale", version = "2",', 1, true))
		local patched = run.shell("cp mapinfo.lua p.lua && patch -s p.lua <<'END'\n" .. shown.out
			.. "END", dir)
		assert.equal(0, patched.status, patched.err .. patched.out)
		assert.equal(0, lint(dir, "mapinfo.lua", "--fix", "--write").status)
		local new = run.read(dir .. "/mapinfo.lua")
		assert.equal(run.read(dir .. "/p.lua"), new)
		assert.equal((MAP:gsub("version = 2", 'version = "2"'):gsub("voidWater = 1", "voidWater = true")
			:gsub("sunStartAngle = 0, ", " "):gsub("1e9", "1.0")), new)
		local again = lint(dir, "mapinfo.lua").out
		assert.is_nil(again:find "numeric%-version" or again:find "unused%-key"
			or again:find "loose%-boolean")
		assert.equal("", lint(dir, "mapinfo.lua", "--fix").out)
	end)

	it("keeps line ends and takes whole lines away", function()
		local text = "return {\r\n\tname = 'a',\r\n\tstartpic = 'x.png', -- old\r\n"
			.. "\tgravity = 100,\r\n}\r\n"
		local dir = folder { ["mapinfo.lua"] = text }
		lint(dir, "mapinfo.lua", "--fix", "--write")
		assert.equal((text:gsub("\tstartpic[^\n]*\n", "")), run.read(dir .. "/mapinfo.lua"))
	end)

	it("finds keys where an override gave them", function()
		local dir = folder { ["mapinfo.lua"] = [[
			local mapinfo = { name = "a", version = "1", mapfile = "maps/a.smf", maxmetal = 1,
				extractorradius = 90 }
			for _, f in ipairs(VFS.DirList("mapconfig/mapinfo/", "*.lua")) do
				for k, v in pairs(VFS.Include(f)) do mapinfo[k] = v end
			end
			return mapinfo]], ["mapconfig/mapinfo/a.lua"] = "return {\n\tgravity = true,\n}" }
		local out = lint(dir, "mapinfo.lua").out
		assert.is_truthy(out:find("mapconfig/mapinfo/a.lua:2:12: error: 'gravity' = true must be"
			.. " a number", 1, true),
			out)
	end)

	it("lints a table that a build will write", function()
		local found = require "mapwright.mapinfo.lint".info { name = "a", version = "1", maxMetal = 1,
			extractorRadius = 90, gravty = 5, modtype = 3 }
		assert.equal(1, #found)
		assert.equal("unknown-key", found[1].id)
	end)
end)

describe("mapwright eval", function()
	after_each(run.clean)

	it("prints Lua that is Lua, JSON that is JSON, and single values", function()
		local dir = folder { ["mapinfo.lua"] = MAP }
		local lua = eval(dir, "mapinfo.lua")
		assert.equal(0, lua.status)
		assert.equal(100, load("return " .. lua.out)().gravty)
		assert.equal("Vale", json(eval(dir, "mapinfo.lua", "--json").out).name)
		assert.equal("Vale\n", eval(dir, "mapinfo.lua", "NAME").out)
		assert.equal("1000000000\n", eval(dir, "mapinfo.lua", "lighting.sunDir[4]").out)
		local none = eval(dir, "mapinfo.lua", "nothing")
		assert.equal(1, none.status)
		assert.is_truthy(none.err:find "there is no 'nothing'")
	end)

	it("gives {} with a warning for a file without a table", function()
		local r = eval(folder { ["mapinfo.lua"] = "local x = 1" }, "mapinfo.lua", "--json")
		assert.equal("{}\n", r.out)
		assert.equal(0, r.status)
		assert.is_truthy(r.err:find "warning: returns no table")
	end)

	it("says where the scan of archives would fail", function()
		local dir = folder { ["a.lua"] = "local n = Map.fileName\nreturn { name = n }",
			["b.lua"] = "local e = VFS.FileExists('x')\nreturn { name = 'b' }",
				["c.lua"] = "return { version = '1' }" }
		assert.is_truthy(eval(dir, "a.lua").err:find "a.lua:1: warning: fails in the archive scan")
		assert.is_truthy(eval(dir, "b.lua").err:find "b.lua:1: warning: .*the engine crashes")
		assert.is_truthy(eval(dir, "c.lua").err:find "does not list the map")
	end)

	it("passes options and tries all of them", function()
		local dir = folder { ["mapinfo.lua"] = [[
			local o = Map and Spring.GetMapOptions() or {}
			if o.dry == "1" then error("no water") end
			return { name = "a", gravity = o.heavy and 200 or 100, wind = o.wind }]],
			["mapoptions.lua"] = [[return {
				{ key = "dry", name = "Dry", type = "bool", def = false },
				{ key = "heavy", name = "Heavy", type = "string", def = "yes" },
				{ key = "wind", name = "Wind", type = "list", def = "low",
					items = { { key = "low" }, { key = "high" } } } }]] }
		assert.equal("200\n", eval(dir, "mapinfo.lua", "gravity", "--option", "heavy=1").out)
		assert.equal(2, eval(dir, "mapinfo.lua", "--option", "heavy").status)
		local r = eval(dir, "mapinfo.lua", "--all-options")
		assert.equal(1, r.status)
		assert.is_truthy(r.out:find("dry = 1\n\tfails: mapinfo.lua:2: no water", 1, true), r.out)
		assert.is_truthy(r.out:find("heavy = yes\n\tgravity: 100 -> 200", 1, true))
		assert.is_truthy(r.out:find('wind = high\n\twind: (absent) -> "high"', 1, true))
		assert.is_truthy(r.out:find("dry = 0\n\tno change", 1, true))
		local rows = json(eval(dir, "mapinfo.lua", "--all-options", "--json").out)
		assert.equal(5, #rows)
	end)

	it("fills in defaults and says where each value is from", function()
		local dir = folder { ["mapinfo.lua"] = MAP }
		local out = eval(dir, "mapinfo.lua", "--effective").out
		assert.is_truthy(out:find "\nmaxmetal = +1  %-%- mapinfo.lua:3\n", out)
		assert.is_truthy(out:find "\ngravity = +130 elmo/s%^2  %-%- default\n")
		assert.is_truthy(out:find "\nwater.numtiles = +4  %-%- default\n")
		local doc = json(eval(dir, "mapinfo.lua", "--effective", "--json").out)
		assert.same({ 1, "file", "mapinfo.lua", 3 }, { doc.maxmetal.value, doc.maxmetal.from,
			doc.maxmetal.file,
			doc.maxmetal.line })
		assert.equal("default", doc.gravity.from)
		assert.equal(130, doc.gravity.value)
	end)
end)
