-- The build command as a user meets it: outputs whole or not at all, errors with a place.
local run = require "run"

local script = [[
local mw = require "mapwright"
local land = mw.terrain{ map_units = {2, 2}, min_height = 0, max_height = 100 }
land.height:set(mw.noise.gradient{ period = 300, octaves = 4, amplitude = 40 } + 50)
land:ground{ layers = { { color = "#6d7a4a", tint = mw.noise.gradient{ period = 9, octaves = 3,
	amplitude = 1 } } } }
mw.target.bar{ out = "%s", terrain = land,
	info = { name = "T", version = "1", maxMetal = 1, extractorRadius = 90 } }
]]

local function project(out)
	local dir = run.folder()
	run.write(dir .. "/build.lua", script:format(out or "t.sdz"))
	return dir
end

local function build(dir, ...)
	return run.mapwright({ "build", ... }, { dir = dir })
end

describe("mapwright build", function()
	after_each(run.clean)

	it("says that a map has no start positions", function()
		local dir = project()
		assert.matches("no start positions; land:start", build(dir).err)
		run.write(dir .. "/build.lua", (script:format "t.sdz"
			:gsub("land:ground", "land:start{ x = 99, z = 99, mirror = \"point\" }\nland:ground", 1)))
		assert.not_matches("start positions", build(dir).err)
	end)

	it("makes maps whose mapinfo.lua is read from wherever one stands", function()
		local dir = project()
		assert.equal(0, build(dir).status)
		for _, path in ipairs { "t.sdz", dir .. "/t.sdz", "../" .. dir:match "[^/]*$" .. "/t.sdz" } do
			local info = run.mapwright({ "info", path }, { dir = dir })
			assert.equal(0, info.status)
			assert.matches("\nmapinfo:\n.*  name: T\n", info.out)
		end
	end)

	it("prints what it made and its size", function()
		local dir = project()
		local result = build(dir)
		assert.equal(0, result.status)
		assert.matches("^t%.sdz  [%d,]+ bytes\n$", result.out)
		assert.same({ "build.lua", "t.sdz" }, run.files(dir))
	end)

	it("says nothing with -q and leaves the status alone", function()
		local result = build(project(), "-q")
		assert.same({ 0, "", "" }, { result.status, result.out, result.err })
	end)

	it("plans without making anything", function()
		local dir = project()
		assert.equal("build.lua:6: bar t.sdz\n", build(dir, "--plan").out)
		assert.same({ "build.lua" }, run.files(dir))
	end)

	it("makes only the target that is asked for", function()
		local dir = project()
		local text = run.read(dir .. "/build.lua")
		run.write(dir .. "/build.lua", text .. text:match "mw.target.*$":gsub("t%.sdz", "u.sdd"))
		assert.equal(0, build(dir, "--only", "t.sdz").status)
		assert.same({ "build.lua", "t.sdz" }, run.files(dir))
		local result = build(dir, "--only", "x")
		assert.equal(1, result.status)
		assert.matches("no such target; there is t%.sdz, u%.sdd", result.err)
	end)

	it("writes a make rule of what it read", function()
		local dir = project()
		assert.equal(0, build(dir, "--depfile", "t.d").status)
		assert.equal("t.sdz: build.lua\n", run.read(dir .. "/t.d"))
	end)

	it("refuses a -D that the script does not ask for", function()
		local result = build(project(), "-D", "sed=1")
		assert.equal(1, result.status)
		assert.matches("%-D sed: the script asks for no setting", result.err)
	end)

	it("makes warnings errors with --strict and writes nothing then", function()
		local dir = project()
		local text = run.read(dir .. "/build.lua"):gsub("land:ground", "land.height:add(60)\n%0", 1)
		run.write(dir .. "/build.lua", text)
		local result = build(dir, "--strict")
		assert.equal(1, result.status)
		assert.matches("height%-clipped", result.err)
		assert.matches("not written: 1 warning, and strict is on", result.err)
		assert.same({ "build.lua" }, run.files(dir))
		assert.equal(0, build(dir).status)
	end)

	it("leaves the old output alone when it is killed at any moment", function()
		for _, out in ipairs { "t.sd7", "t.sdz", "t.sdd" } do
			local dir = project(out)
			assert.equal(0, build(dir).status)
			local before = run.hashes(dir)
			run.write(dir .. "/build.lua",
				(run.read(dir .. "/build.lua"):gsub("period = 300", "period = 310")))
			before["build.lua"] = run.hashes(dir)["build.lua"]
			for i = 1, 6 do
				run.shell(("%s build & pid=$!; sleep 0.0%d; kill -%s $pid; wait $pid; true"):format(
					run.quote(run.program), i, i % 2 == 0 and "TERM" or "INT"), dir)
				local after = run.hashes(dir)
				-- a build that was quicker than the signal has replaced it as a whole
				for name in pairs(after) do
					assert.is_nil(name:match "%.part", name)
					assert.is_not_nil(before[name], name)
				end
			end
		end
	end)

	it("takes away what a build left that could not do so itself", function()
		for _, out in ipairs { "t.sd7", "t.sdd" } do
			local dir = project(out)
			for i = 1, 5 do
				run.shell(("%s build -j1 & pid=$!; sleep 0.0%d; kill -KILL $pid; wait $pid; true"):format(
					run.quote(run.program), 2 * i - 1), dir)
			end
			-- as one that was killed would have left it, however quick this machine is
			run.shell(("true & pid=$!; wait $pid; mkdir -p %s.$pid-0.part/maps; touch %s.t.smt.$pid-1.part")
				:format(out, out), dir)
			assert.equal(0, build(dir).status)
			for _, name in ipairs(run.files(dir)) do assert.is_nil(name:match "%.part", name) end
			assert.is_nil(run.shell("ls -d *.part", dir).out:match "%.part")
		end
	end)

	it("says in one line what a full disk or an unwritable folder is", function()
		local dir = project()
		local result = run.shell(("ulimit -f 8; %s build"):format(run.quote(run.program)), dir)
		assert.equal(1, result.status)
		assert.matches("^build%.lua:%d: error: [^\n]*cannot write: [^\n]*\n$", result.err)
		assert.same({ "build.lua" }, run.files(dir))
		result = build(dir, "-o", "/proc/nowhere")
		assert.equal(1, result.status)
		assert.matches("^[^\n]*/proc/nowhere[^\n]*\n$", result.err)
	end)

	it("names the script's line for a mistake in an option", function()
		local dir = project()
		run.write(dir .. "/build.lua", 'local mw = require "mapwright"\n'
			.. "local land = mw.terrain{ map_units = {2, 2},\n" .. "\tmin_height = 0, max_heigth = 9 }\n")
		local result = build(dir)
		assert.equal(1, result.status)
		assert.matches("^build%.lua:2: error: terrain: unknown option 'max_heigth' "
			.. "%(did you mean 'max_height'%?%)", result.err)
	end)

	it("requires what the engine's defaults would spoil", function()
		local dir = project()
		run.write(dir .. "/build.lua", (run.read(dir .. "/build.lua"):gsub("maxMetal = 1, ", "")))
		assert.matches("build%.lua:6: error: target%.bar: info%.maxMetal is required", build(dir).err)
	end)

	it("names the misspelt key where a required one of info is missing", function()
		local dir = project()
		local text = run.read(dir .. "/build.lua")
		local function said(from, to)
			run.write(dir .. "/build.lua", (text:gsub(from, to)))
			return build(dir).err
		end
		assert.matches("build%.lua:6: error: target%.bar: info%.extractorRadious is not known "
			.. "%(did you mean 'extractorRadius'%?%); info%.extractorRadius is required",
			said("extractorRadius", "extractorRadious"))
		assert.matches("info%.nmae is not known %(did you mean 'name'%?%); info%.name is required",
			said("name = ", "nmae = "))
		-- of the wrong type, or far from it, or another key of the engine: no guess
		assert.matches("target%.bar: info%.maxMetal is required", said("maxMetal = 1", "maxMetal = '1'"))
		assert.matches("target%.bar: info%.maxMetal is required", said("maxMetal = ", "metal = "))
		assert.matches("target%.bar: info%.name is required", said("name = ", "game = "))
	end)

	it("refuses sizes that crash the engine, unless forced", function()
		local dir = project()
		local text = run.read(dir .. "/build.lua"):gsub("{2, 2}", "{2, 6}")
		run.write(dir .. "/build.lua", text)
		local result = build(dir)
		assert.equal(1, result.status)
		assert.matches("build%.lua:2: error: .*128.*384", result.err)
		run.write(dir .. "/build.lua", (text:gsub("max_height = 100", "%0, force_size = true")))
		assert.equal(0, build(dir).status)
	end)

	it("names the spot whose metal would pass 255 and what it could give", function()
		local dir = project()
		run.write(dir .. "/build.lua", (run.read(dir .. "/build.lua"):gsub("mw.target",
			"land:metal_spot{ x = 300, z = 300, metal = 90 }\n%0", 1)))
		assert.matches("build%.lua:6: error: metal_spot: .*255", build(dir).err)
	end)

	it("gives both sides of a point-symmetric map equal metal to the last digit", function()
		local dir = project "t.sdd"
		run.write(dir .. "/build.lua", (run.read(dir .. "/build.lua"):gsub("mw.target", [[
			for i, at in ipairs(land:scatter{ spacing = 90, count = 20, mirror = "point" }) do
				land:metal_spot{ x = at.x, z = at.z, metal = 0.7 + at.orbit * 0.013, radius = 37 }
			end
			%0]], 1)))
		local result = build(dir)
		assert.equal("", result.status ~= 0 and result.err or "")
		local f = require "case".smf(dir .. "/t.sdd/maps/t.smf")
		local some = false
		for i = 0, 64 * 64 - 1 do
			assert.equal(f.byte(f.metal_at, i), f.byte(f.metal_at, 64 * 64 - 1 - i))
			some = some or f.byte(f.metal_at, i) > 0
		end
		assert.is_true(some)
	end)

	it("places features by the gadget's file where asked", function()
		local dir = project "t.sdd"
		run.write(dir .. "/build.lua", (run.read(dir .. "/build.lua"):gsub("mw.target",
			"land:vent{ x = 100.5, z = 200, facing = 'east' }\n%0", 1):gsub("terrain = land,",
			"terrain = land, feature_placer = true,", 1)))
		assert.equal(0, build(dir).status)
		local set = load(run.read(dir .. "/t.sdd/mapconfig/featureplacer/set.lua"))()
		assert.same({ { name = "geovent", x = 100.5, z = 200, rot = "16384" } }, set.objectlist)
		assert.same({}, require "case".smf(dir .. "/t.sdd/maps/t.smf").features)
	end)

	it("takes further files, folders and texts into the archive", function()
		local dir = project "t.sdd"
		run.shell("mkdir -p gadgets/sub; echo a >gadgets/a.lua; echo b >gadgets/sub/b.lua", dir)
		run.write(dir .. "/c", "c\n")
		run.write(dir .. "/build.lua", (run.read(dir .. "/build.lua"):gsub("terrain = land,", [[%0
			files = { LuaGaia = "gadgets", ["maps/c.txt"] = "c" },
			texts = { ["x/y.lua"] = "return 1" },]], 1)))
		local result = build(dir)
		assert.equal("", result.status ~= 0 and result.err or "")
		assert.same({ "LuaGaia/a.lua", "LuaGaia/sub/b.lua", "mapinfo.lua", "maps/c.txt", "maps/t.smf",
			"maps/t.smt", "x/y.lua" }, run.files(dir .. "/t.sdd"))
	end)

	it("splits tile files where asked", function()
		local dir = project "t.sdd"
		run.write(dir .. "/build.lua", (run.read(dir .. "/build.lua"):gsub("terrain = land,",
			"terrain = land, smt_split = 400,", 1)))
		local result = build(dir)
		assert.equal("", result.status ~= 0 and result.err or "")
		local f = require "case".smf(dir .. "/t.sdd/maps/t.smf")
		local sum = 0
		for _, file in ipairs(f.tile_files) do
			sum = sum + file.count
			assert.is_true(file.count <= 400)
			assert.equal(32 + 680 * file.count, #run.read(dir .. "/t.sdd/maps/" .. file.name))
		end
		assert.equal(f.num_tiles, sum)
		assert.is_true(#f.tile_files >= 3)
	end)
end)

describe("mapwright new", function()
	after_each(run.clean)

	it("tells the editor where the definitions are, or nothing where there are none", function()
		local dir = run.folder()
		local json = require "mapwright.core".base.json_read
		local function library_of(program)
			run.shell(("rm -rf p; %s new p"):format(run.quote(program)), dir)
			return json(run.read(dir .. "/p/.luarc.json"))["workspace.library"]
		end
		local function place(at, folder)
			run.shell(("mkdir -p %s && cp %s %s"):format(at:match "(.*)/", run.quote(run.program), at), dir)
			if folder then
				run.shell(("mkdir -p %s/meta %s/mapwright"):format(folder, folder), dir)
				run.write(("%s/%s/meta/core.lua"):format(dir, folder), "")
			end
			return dir .. "/" .. at
		end
		local real = run.shell("pwd -P", dir).out:match "[^\n]+"
		assert.same({ real .. "/usr/share/mapwright/lua" },
			library_of(place("usr/bin/mapwright", "usr/share/mapwright/lua")))
		assert.same({ real .. "/tree/lua" },
			library_of(place("tree/build/release/mapwright", "tree/lua")))
		assert.is_nil(library_of(place "lone/bin/mapwright"))
		-- a link is not where the program is
		run.shell("ln -s usr/bin/mapwright m", dir)
		assert.same({ real .. "/usr/share/mapwright/lua" }, library_of(dir .. "/m"))
	end)

	it("starts a project that builds at once", function()
		local dir = run.folder()
		assert.equal(0, run.mapwright({ "new", "my_map" }, { dir = dir }).status)
		local result = run.mapwright({ "build", "my_map" }, { dir = dir })
		assert.equal("", result.status ~= 0 and result.err or "")
		assert.is_true(run.exists(dir .. "/my_map/my_map.sd7"))
		assert.equal(1, run.mapwright({ "new", "my_map" }, { dir = dir }).status)
	end)

	it("starts a level of brushes that is closed and lit", function()
		local dir = run.folder()
		assert.equal(0, run.mapwright({ "new", "--template=level", "vault" }, { dir = dir }).status)
		local result = run.mapwright({ "build", "vault" }, { dir = dir })
		assert.equal(0, result.status, result.err)
		assert.is_nil(result.err:find("warning", 1, true), result.err)
		local info = require "mapwright.format.hmap".info(dir .. "/vault/vault.hmap")
		assert.is_true(info.baked)
		assert.equal(2, info.lights)
		local map = require "mapwright.format.qmap".info(dir .. "/vault/vault.map")
		assert.equal(info.brushes, map.brushes)
		for _, file in ipairs { "vault.map" } do
			result = run.mapwright({ "lint", "vault/" .. file }, { dir = dir })
			assert.equal(0, result.status, result.out .. result.err)
		end
	end)
end)
