-- The shared archive cases: containers that break tools of this kind.
local run = require "run"

local function folder_of(id)
	local from = run.shared("cases/" .. id)
	if not from then return nil end
	local dir = run.folder()
	assert(run.shell(("cp -r %s/. %s && chmod -R u+w %s"):format(run.quote(from), run.quote(dir),
		run.quote(dir))).status == 0)
	if run.exists(dir .. "/make.py") then
		assert(run.shell("python3 make.py", dir).status == 0)
	end
	return dir
end

local function lua(dir, text)
	run.write(dir .. "/try.lua", text)
	return run.mapwright({ "lua", "try.lua" }, { dir = dir })
end

describe("archive case", function()
	after_each(run.clean)

	local function case(id, what, check)
		it(id .. " " .. what, function()
			local dir = folder_of(id)
			if not dir then
				pending("no shared cases here")
				return
			end
			check(dir)
		end)
	end

	case("archive/ar01", "finds files although no spelling agrees", function(dir)
		local result = lua(dir, [[
			local archive = require "mapwright.archive".open "case.sdd"
			print(archive:find "maps/case_test.smf")
			print(archive:find "maps/CASE_TEST.smt")
		]])
		assert.equal(0, result.status, result.err)
		assert.truthy(result.out:find("Maps/Case_Test.SMF", 1, true))
		assert.truthy(result.out:find("Maps/case_test.smt", 1, true))
	end)

	case("archive/ar03", "refuses names that differ only in case", function(dir)
		for _, out in ipairs { "out.sdz", "out.sd7", "out.sdd" } do
			local result = run.mapwright({ "pack", "tree", "-o", out }, { dir = dir })
			assert.equal(1, result.status)
			assert.truthy(result.err:find("maps/Rock.dds", 1, true))
			assert.truthy(result.err:find("maps/rock.dds", 1, true))
			assert.equal("", run.shell("ls | grep out", dir).out)
		end
	end)

	case("archive/ar05", "packs the same bytes whatever the dates and the order", function(dir)
		for _, kind in ipairs { "sdz", "sd7" } do
			local one = run.mapwright({ "pack", "tree", "-o", "one." .. kind }, { dir = dir })
			assert.equal(0, one.status, one.err)
			assert.equal(0, run.shell("rm -rf other; mkdir other other/maps other/mapconfig; " ..
				"for f in maps/b.txt mapinfo.lua mapconfig/z.lua maps/a.txt; do " ..
				"cp tree/$f other/$f; touch -d 2001-02-03 other/$f; done; " ..
				"touch tree/maps/a.txt", dir).status)
			local two = run.mapwright({ "pack", "other", "-o", "two." .. kind, "-j", "3" },
				{ dir = dir, env = { TZ = "Asia/Tokyo" } })
			assert.equal(0, two.status, two.err)
			assert.equal(0, run.shell(("cmp one.%s two.%s"):format(kind, kind), dir).status)
		end
		local list = run.shell([[python3 -c "import zipfile
for i in zipfile.ZipFile('one.sdz').infolist(): print(i.filename, i.date_time[0])"]], dir)
		assert.equal("mapconfig/z.lua 1980\nmapinfo.lua 1980\nmaps/a.txt 1980\nmaps/b.txt 1980\n",
			list.out)
	end)

	case("archive/ar11", "names the entry and the method that cannot be read", function(dir)
		local result = run.mapwright({ "pack", "bz.sdz", "-o", "out.sdz" }, { dir = dir })
		assert.equal(1, result.status)
		assert.truthy(result.err:find("mapinfo.lua", 1, true))
		assert.truthy(result.err:find("12", 1, true))
		assert.falsy(run.exists(dir .. "/out.sdz"))
	end)

	case("archive/ar12", "takes backslashes for folders and writes slashes", function(dir)
		local result = lua(dir, [[
			local archive = require "mapwright.archive"
			print(archive.open "back.sdz":read "mapconfig/mapinfo/1_a.lua")
			for _, e in ipairs(archive.describe "back.sdz".entries) do print(e.name) end
		]])
		assert.equal("return { gravity = 66 }\n\nmapconfig/mapinfo/1_a.lua\nmapinfo.lua\n", result.out)
		assert.equal(0, run.mapwright({ "pack", "back.sdz", "-o", "new.sdz" }, { dir = dir }).status)
		local names = run.shell("python3 -m zipfile -l new.sdz", dir).out
		assert.truthy(names:find("mapconfig/mapinfo/1_a.lua", 1, true))
		assert.falsy(names:find("\\", 1, true))
	end)

	case("security/se01", "writes nothing outside and names every such entry", function(dir)
		local listed = lua(dir, [[
			for _, e in ipairs(require "mapwright.archive".describe "up.sdz".entries) do
				print(e.name)
			end
		]])
		assert.equal("../evil.txt\nmapinfo.lua\nmaps/../../evil2.txt\n", listed.out)
		run.shell("mkdir deep", dir)
		for _, out in ipairs { "deep/x.sdd", "deep/x.sdz" } do
			local result = run.mapwright({ "pack", "up.sdz", "-o", out }, { dir = dir })
			assert.equal(1, result.status)
			assert.truthy(result.err:find("../evil.txt", 1, true))
			assert.truthy(result.err:find("maps/../../evil2.txt", 1, true))
		end
		assert.equal("", run.shell("find . -name 'evil*'", dir).out)
		assert.equal("", run.shell("ls deep", dir).out)
	end)

	case("security/se03", "refuses a bomb and still reads its neighbour", function(dir)
		local result = run.shell(([[
			command -v /usr/bin/time >/dev/null && T='/usr/bin/time -f %%M -o peak'
			$T %s pack zeros.sdz -o out.sdd]]):format(run.quote(run.program)), dir)
		assert.equal(1, result.status)
		assert.truthy(result.err:find("zeros.smt", 1, true))
		assert.falsy(run.exists(dir .. "/out.sdd"))
		if run.exists(dir .. "/peak") and not os.getenv "MAPWRIGHT_BUILD":match "san" then
			local peak = tonumber(run.read(dir .. "/peak"):match "(%d+)%s*$")
			assert.is_true(peak < 256 * 1024, ("peak %d KiB"):format(peak))
		end
		local read = lua(dir, [[
			print(require "mapwright.archive".open "zeros.sdz":read "mapinfo.lua")
		]])
		assert.equal('return { name = "Zeros", version = "1" }\n\n', read.out)
		local allowed = run.mapwright({ "pack", "zeros.sdz", "-o", "out.sdd",
			"--max-unpacked=1G" }, { dir = dir })
		assert.equal(0, allowed.status, allowed.err)
		assert.equal(629145600, require "lfs".attributes(dir .. "/out.sdd/maps/zeros.smt", "size"))
	end)
end)
