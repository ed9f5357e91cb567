-- The shared cases about mapinfo.lua and hostile Lua.
local run = require "run"

local root = run.shared "cases"

local function case(area, id) return ("%s/%s/%s/mapinfo.lua"):format(root, area, id) end

local function eval(path, ...)
	local r = run.mapwright { "eval", path, "--json", ... }
	return r, r.status == 0 and require "mapwright.core".base.json_read(r.out) or nil
end

local function lint(path)
	local r = run.mapwright { "lint", path, "--format=json" }
	local doc = require "mapwright.core".base.json_read(r.out)
	local text = {}
	for _, f in ipairs(doc.findings) do
		if f.severity ~= "info" then text[#text + 1] = f.message end
	end
	return doc.errors, doc.warnings, table.concat(text, "\n"), r, doc
end

describe("the shared mapinfo cases", function()
	if not root then
		pending "no cases beside this checkout"
		return
	end

	it("me01: a real file with everything", function()
		local path = case("mapinfo-eval", "me01")
		local r, info = eval(path)
		assert.equal(0, r.status)
		assert.same({ "Quiet Basin", 1.2, -40, 260, 824, 724, 0.00868, "40%" }, { info.name,
			info.maxmetal,
			info.smf.minheight, info.smf.maxheight, info.teams["1"].startpos.x, info.teams["1"].startpos.z,
			info.splats.texscales[4], info.custom.fog.height })
		assert.is_nil(info.water)
		for _, key in ipairs { "MaxMetal", "maxMetal", "maxmetal" } do
			assert.equal("1.2\n", run.mapwright({ "eval", path, key }).out)
		end
		local n = 0
		for _ in pairs(info.teams) do n = n + 1 end
		assert.equal(2, n)
		local _, _, _, all = lint(path)
		for _, word in ipairs { "getfenv", "VFS", "Spring", "comment" } do
			assert.is_nil(all.out:find(word, 1, true))
		end
	end)

	it("me03: Lua 5.1 ways", function()
		local _, info = eval(case("mapinfo-eval", "me03"))
		assert.same({ "Old Ways 3", 0.8, 85, 103 },
			{ info.name, info.maxmetal, info.extractorradius, info.gravity })
	end)

	it("me05: overrides in the order of their names", function()
		local _, info = eval(case("mapinfo-eval", "me05"))
		assert.same({ 120, 5, 2 }, { info.gravity, info.atmosphere.minwind, info.atmosphere.maxwind })
	end)

	it("me06: a deep merge", function()
		local _, info = eval(case("mapinfo-eval", "me06"))
		local t = info.teams
		assert.same({ 10, 20, 333, 40, 50, 60 }, { t["0"].startpos.x, t["0"].startpos.z,
			t["1"].startpos.x,
			t["1"].startpos.z, t["2"].startpos.x, t["2"].startpos.z })
	end)

	it("me07: an error with its place", function()
		local r = eval(case("mapinfo-eval", "me07"))
		assert.is_true(r.status ~= 0)
		assert.is_truthy(r.err:find "mapinfo%.lua:4" and r.err:find "weather")
	end)

	for id, want in pairs {
		ml01 = { 0, 1, "mapfile" }, ml03 = { 0, 1, "groundSpecularColor", "lighting" }, ml04 = { 0, 0 },
		ml05 = { 0, 1, "2" }, ml07 = { 0, 1, "0", "2" }, ml09 = { 0, 1, "160", "%-60" },
		ml11 = { 0, 2, "0%.02", "500" }, ml13 = { 0, 0 }, ml15 = { 0, 1, "line 3", "line 8" },
		ml18 = { 0, 1, "2%.000000" },
	} do
		it(id .. ": lint says so", function()
			local errors, warnings, text, r = lint(case("mapinfo-lint", id))
			assert.same({ want[1], want[2] }, { errors, warnings }, text)
			assert.equal(0, r.status)
			for i = 3, #want do assert.is_truthy(text:find(want[i]), text) end
		end)
	end

	it("ml15: the last of two keys counts", function()
		assert.equal("130\n", run.mapwright({ "eval", case("mapinfo-lint", "ml15"), "gravity" }).out)
	end)

	it("se05: a script that never ends", function()
		local r = run.shell("timeout 10 " .. run.quote(run.program) .. " eval " .. case("security",
			"se05"))
		assert.equal(1, r.status)
		assert.is_truthy(r.err:find "mapinfo%.lua:2" and r.err:find "limit")
	end)

	it("se07: a script that eats memory", function()
		local limit = os.getenv "MAPWRIGHT_BUILD" == "release" and "ulimit -v 262144; " or ""
		local r = run.shell(limit .. "timeout 10 " .. run.quote(run.program) .. " eval "
			.. case("security", "se07"))
		assert.equal(1, r.status)
		assert.is_truthy(r.err:find "mapinfo%.lua:1")
	end)

	it("se09: byte code", function()
		local _, info = eval(case("security", "se09"))
		assert.equal("refused", info.name)
	end)

	it("se11: nothing of the machine is in reach", function()
		local dir = run.folder()
		local r = run.mapwright({ "eval", case("security", "se11"), "name" },
			{ dir = dir })
		assert.equal("Open: \n", r.out)
		assert.is_false(run.exists(dir .. "/pwned_se11"))
		run.clean()
	end)
end)
