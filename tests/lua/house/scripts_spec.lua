-- The scripts that guard the house: each must notice what it is there for.
local run = require "run"

local function tree(files)
	local root = run.folder()
	for path, text in pairs(files) do
		run.shell("mkdir -p " .. run.quote((root .. "/" .. path):match "^(.*)/"))
		run.write(root .. "/" .. path, text)
	end
	return root
end

after_each(run.clean)

describe("the layer check", function()
	local function check(files)
		return run.shell("lua5.4 scripts/check_layers.lua " .. run.quote(tree(files)))
	end

	it("accepts arrows to the left, the own room and Lua where it belongs", function()
		local result = check {
			["base/a.h"] = "",
			["geom/b.c"] = '#include "geom/b.h"\n#include "base/a.h"\n#include <math.h>\n',
			["geom/b.h"] = "",
			["format/smf/smf.h"] = '#include "geom/b.h"\n',
			["format/smf/smf_lua.c"] = '#include "format/smf/smf.h"\n#include "bind/lx.h"\n'
				.. "#include <lua.h>\n",
			["format/hmap/hmap_lua.h"] = '#include "bind/lx.h"\n',
			["format/hmap/hmap_level_lua.c"] = '#include "format/hmap/hmap_lua.h"\n',
			["format/mapinfo/mapinfo_eval.h"] = "",
			["format/mapinfo/mapinfo_eval_vfs.c"] = '#include "format/mapinfo/mapinfo_eval.h"\n'
				.. '#include "bind/sandbox.h"\n#include <lauxlib.h>\n',
			["format/list.c"] = '#include "format/smf/smf.h"\n',
			["bind/lx.h"] = "#include <lauxlib.h>\n",
		}
		assert.equal("", result.out)
		assert.equal(0, result.status)
	end)

	for _, case in ipairs {
		{ "base must not see geom", { ["base/a.c"] = '#include "geom/b.h"\n' } },
		{ "raster must not see geom", { ["raster/a.c"] = '#include "geom/b.h"\n' } },
		{ "format/smf must not see format/hmap", {
			["format/smf/smf_read.c"] = '#include "format/hmap/hmap.h"\n' } },
		{ "name the folder", { ["base/a.c"] = '#include "a.h"\n' } },
		{ "no layer is called util", { ["base/a.c"] = '#include "util/a.h"\n' } },
		{ "may see Lua", { ["base/a.c"] = "#include <lua.h>\n" } },
		{ "sees bind/lx.h and modules.h only", {
			["format/smf/smf_lua.c"] = '#include "bind/host.h"\n' } },
		{ "only the Lua face of its room sees it", {
			["format/hmap/hmap_read.c"] = '#include "format/hmap/hmap_lua.h"\n' } },
		{ "comes first", { ["base/a.h"] = "", ["base/b.h"] = "",
			["base/a.c"] = '#include "base/b.h"\n#include "base/a.h"\n' } },
		{ "the name is taken", { ["base/a.c"] = "", ["geom/a.c"] = "" } },
		{ "is not a layer", { ["common/a.c"] = "" } },
	} do
		local fault, files = case[1], case[2]
		it("finds: " .. fault, function()
			local result = check(files)
			assert.equal(1, result.status)
			assert.matches(fault, result.out, 1, true)
		end)
	end
end)

describe("embedding", function()
	it("names modules after their paths, in sorted order, and keeps every byte", function()
		local root = tree {
			["mapwright/init.lua"] = "return 1\n",
			["mapwright/target/bar.lua"] = "\0\255\"\\\n",
			["mapwright/page.html"] = "",
		}
		local out = root .. "/embed.c"
		local result = run.shell(("lua5.4 scripts/embed.lua %s/mapwright %s %s/mapwright/target/bar.lua"
			.. " %s/mapwright/page.html %s/mapwright/init.lua"):format(root, out, root, root, root))
		assert.equal("", result.err)
		local text = run.read(out)
		local names = {}
		for name, size in text:gmatch '{"([^"]+)", file_%d+, (%d+)}' do
			names[#names + 1] = name .. "=" .. size
		end
		assert.same({ "mapwright=9", "mapwright.target.bar=5", "mapwright/page.html=0" }, names)
		assert.matches("0,255,34,92,10,", text, 1, true)
		assert.matches("mw_embed_count = 3;", text, 1, true)
	end)
end)

describe("the test counter", function()
	local function tap(program)
		local root = run.folder()
		local result = run.shell(("sh scripts/tap.sh %s/x.res x sh -c %s"):format(root,
			run.quote(program)))
		return run.read(root .. "/x.res"), result, root
	end

	it("counts passed, failed and skipped tests of both test libraries", function()
		local counts = tap "echo ok 1 - a; echo 'not ok 2 # SKIP b'; echo 'ok 3 - # SKIP c'; echo ok 4"
		assert.equal("2 0 2\n", counts)
		counts = tap "echo ok 1; echo not ok 2 - b; exit 1"
		assert.equal("1 1 0\n", counts)
	end)

	it("counts a crash and an empty run as a failure", function()
		local counts, result = tap "echo ok 1; kill -SEGV $$"
		assert.equal("1 1 0\n", counts)
		assert.matches("FAIL  x", result.out, 1, true)
		assert.equal("0 1 0\n", (tap "true"))
	end)

	it("adds up and fails when anything failed", function()
		local root = run.folder()
		run.write(root .. "/a.res", "3 0 1\n")
		run.write(root .. "/b.res", "2 1 0\n")
		local total = run.shell(("sh scripts/tap.sh --total T %s/a.res %s/b.res"):format(root, root))
		assert.equal("T: 5 passed, 1 failed, 1 skipped\n", total.out)
		assert.equal(1, total.status)
		total = run.shell(("sh scripts/tap.sh --total T %s/a.res"):format(root))
		assert.equal(0, total.status)
	end)
end)
