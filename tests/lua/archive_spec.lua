local run = require "run"
local archive = require "mapwright.archive"
local core = require "mapwright.core".archive

local function expect_error(part, fn, ...)
	local ok, problem = pcall(fn, ...)
	assert.is_false(ok)
	assert.truthy(tostring(problem):find(part, 1, true),
		("expected '%s' in: %s"):format(part, tostring(problem)))
end

describe("an archive", function()
	local dir
	before_each(function() dir = run.folder() end)
	after_each(run.clean)

	local function items()
		run.write(dir .. "/big.bin", ("0123456789abcdef"):rep(300000))
		return {
			{ name = "mapinfo.lua", bytes = "return {}\n" },
			{ name = "maps/big.smt", path = dir .. "/big.bin" },
			{ name = "maps/größe.txt", bytes = "zero \0 byte" },
			{ name = "empty", bytes = "" },
		}
	end

	for _, kind in ipairs { "sdd", "sdz", "sd7" } do
		it("holds what was put in as " .. kind, function()
			local path = dir .. "/map." .. kind
			archive.write(path, items())
			local a = archive.open(path)
			assert.equal(kind, a:kind())
			local names = {}
			for i, e in ipairs(a:entries()) do names[i] = e.name .. " " .. e.size end
			assert.same({ "empty 0", "mapinfo.lua 10", "maps/big.smt 4800000", "maps/größe.txt 11" },
				names)
			assert.equal("zero \0 byte", a:read "maps/größe.txt")
			assert.equal("return {}\n", a:read "MapInfo.LUA")
			assert.equal(4800000, #a:read "maps/big.smt")
			assert.is_nil(a:read "maps")
			a:close()
			expect_error("closed", a.read, a, "empty")
		end)

		it("replaces an older one as " .. kind .. " and leaves no other file", function()
			local path = dir .. "/map." .. kind
			archive.write(path, items())
			archive.write(path, { { name = "mapinfo.lua", bytes = "new" } })
			assert.same({ "mapinfo.lua" }, (function()
				local out = {}
				for i, e in ipairs(archive.open(path):entries()) do out[i] = e.name end
				return out
			end)())
			assert.equal(("map.%s\n"):format(kind), run.shell("ls | grep -v big.bin", dir).out)
		end)

		it("stays as it was when writing " .. kind .. " fails", function()
			local path = dir .. "/map." .. kind
			archive.write(path, items())
			local before = run.shell("find . -type f | sort | xargs sha256sum", dir).out
			local broken = items()
			broken[#broken + 1] = { name = "zz", path = dir .. "/absent" }
			expect_error("absent", archive.write, path, broken)
			assert.equal(before, run.shell("find . -type f | sort | xargs sha256sum", dir).out)
			assert.equal("", run.shell("find . -name '*.part*'", dir).out)
		end)
	end

	it("is refused with unusable names, which are told", function()
		for name, why in pairs {
			["../a"] = "leaves the folder", ["/a"] = "absolute", ["c:/a"] = "drive letter",
			["a//b"] = "segment", ["a/./b"] = "segment", ["a\\b"] = "backslash",
			["a\1"] = "control character", ["a/"] = "is a folder", [""] = "is empty",
			["\xff"] = "not UTF-8", [("x"):rep(512)] = "512 bytes",
		} do
			expect_error(why, archive.write, dir .. "/x.sdz", { { name = name, bytes = "" } })
		end
		expect_error("there twice", archive.write, dir .. "/x.sdz",
			{ { name = "a", bytes = "" }, { name = "a", bytes = "" } })
		expect_error("'A' is a file, and a folder for 'a/b'", archive.write, dir .. "/x.sdz",
			{ { name = "A", bytes = "" }, { name = "A-", bytes = "" }, { name = "a/b", bytes = "" } })
		assert.equal("", run.shell("ls", dir).out)
	end)

	it("does not replace a folder that is no map", function()
		run.shell("mkdir home.sdd; echo precious >home.sdd/letter", dir)
		expect_error("holds no mapinfo.lua", archive.write, dir .. "/home.sdd", items())
		assert.equal("precious\n", run.read(dir .. "/home.sdd/letter"))
	end)

	it("of a folder leaves out links that lead outside", function()
		run.shell([[
			mkdir -p map.sdd/maps; echo secret >secret; cd map.sdd; echo 'return {}' >mapinfo.lua
			ln -s ../../secret maps/out; ln -s ../mapinfo.lua maps/in; ln -s / root; ln -s . loop
		]], dir)
		local names = {}
		for i, e in ipairs(archive.open(dir .. "/map.sdd"):entries()) do names[i] = e.name end
		assert.same({ "mapinfo.lua", "maps/in" }, names)
		local result = run.mapwright({ "pack", "map.sdd", "-o", "map.sdz" }, { dir = dir })
		assert.equal(0, result.status)
		assert.truthy(result.err:find("left out 3 links", 1, true), result.err)
		assert.falsy(run.read(dir .. "/map.sdz"):find("maps/out", 1, true))
	end)

	it("is described with what the engine cannot use", function()
		assert.equal(0, run.shell([[python3 -c "
import zipfile
with zipfile.ZipFile('x.sdz', 'w') as z:
    z.writestr('mapinfo.lua', 'return {}')
    z.writestr('MapInfo.lua', 'second')
    z.writestr(zipfile.ZipInfo('../up'), 'x')
    z.writestr('maps/a', 'a' * 99, zipfile.ZIP_LZMA)
    z.writestr('dir/', '')
"]], dir).status)
		local about = archive.describe(dir .. "/x.sdz")
		assert.equal(4, about.num_entries)
		assert.same({
			"'../up': the name leaves the folder",
			"MapInfo.lua: an earlier entry has this name, the engine never sees this one",
			"maps/a: compression method 14 (lzma); only 0 (store) and 8 (deflate) are usable",
		}, (function() table.sort(about.problems) return about.problems end)())
		local a = archive.open(dir .. "/x.sdz")
		assert.equal("return {}", a:read "mapinfo.lua")
	end)

	it("is not taken for one when it is neither zip nor 7z", function()
		run.write(dir .. "/x.sdz", "")
		expect_error("neither zip nor 7z", archive.open, dir .. "/x.sdz")
		expect_error("cannot open", archive.open, dir .. "/absent.sdz")
		expect_error("must end in", archive.write, dir .. "/x.rar", {})
	end)

	it("says the limit that stops it, which can be raised", function()
		local path = dir .. "/x.sdz"
		archive.write(path, { { name = "a", bytes = ("x"):rep(5000) } })
		local before = core.limit_unpacked(4999)
		local a = archive.open(path)
		expect_error("5000 bytes unpacked, the limit is 4999", a.read, a, "a")
		expect_error("limit is 4999", a.extract, a, dir .. "/out")
		assert.falsy(run.exists(dir .. "/out"))
		core.limit_unpacked(5000)
		assert.equal(5000, #a:read "a")
		core.limit_unpacked(before)
	end)

	it("with junk before it and a comment behind it is read", function()
		assert.equal(0, run.shell([[python3 -c "
import zipfile
open('x.sdz', 'wb').write(b'junk' * 1000)
with zipfile.ZipFile('x.sdz', 'a') as z:
    z.writestr('mapinfo.lua', 'return 1', zipfile.ZIP_DEFLATED)
    z.comment = b'PK\5\6 ' * 50
"]], dir).status)
		assert.equal("return 1", archive.open(dir .. "/x.sdz"):read "mapinfo.lua")
	end)
end)

describe("pack", function()
	local dir
	before_each(function() dir = run.folder() end)
	after_each(run.clean)

	it("turns each container into each other", function()
		run.shell("mkdir -p a.sdd/maps; echo 'return {}' >a.sdd/mapinfo.lua; echo x >a.sdd/maps/x", dir)
		local chain = { "a.sdd", "b.sdz", "c.sd7", "d.sdd", "e.sd7", "f.sdz" }
		for i = 2, #chain do
			local result = run.mapwright({ "pack", chain[i - 1], "-o", chain[i] }, { dir = dir })
			assert.equal(0, result.status, result.err)
			assert.truthy(result.err:find(chain[i] .. ": 2 files", 1, true))
		end
		assert.equal(run.read(dir .. "/b.sdz"), run.read(dir .. "/f.sdz"))
		assert.equal(run.read(dir .. "/c.sd7"), run.read(dir .. "/e.sd7"))
		assert.equal("x\n", run.read(dir .. "/d.sdd/maps/x"))
	end)

	it("leaves out hidden files unless asked", function()
		run.shell("mkdir -p a/.git; echo x >a/.git/x; echo y >a/mapinfo.lua", dir)
		local result = run.mapwright({ "pack", "a", "-o", "a.sdz" }, { dir = dir })
		assert.truthy(result.err:find("left out 1 name beginning with a dot", 1, true))
		assert.truthy(result.err:find(": 1 file,", 1, true))
		result = run.mapwright({ "pack", "a", "-o", "a.sdz", "--hidden" }, { dir = dir })
		assert.truthy(result.err:find("2 files", 1, true))
	end)

	it("does not pack what it packed before", function()
		run.shell("mkdir a; echo y >a/mapinfo.lua", dir)
		for _ = 1, 2 do
			local result = run.mapwright({ "pack", "a", "-o", "a/a.sdz" }, { dir = dir })
			assert.truthy(result.err:find(": 1 file,", 1, true))
		end
	end)

	it("says what is wrong with the command line", function()
		assert.equal(2, run.mapwright({ "pack", "a" }, { dir = dir }).status)
		assert.equal(2, run.mapwright({ "pack", "-o", "x.sdz" }, { dir = dir }).status)
		local result = run.mapwright({ "pack", "absent", "-o", "x.sdz" }, { dir = dir })
		assert.equal(1, result.status)
		assert.truthy(result.err:find("absent", 1, true))
		run.shell("mkdir none", dir)
		result = run.mapwright({ "pack", "none", "-o", "x.sdz" }, { dir = dir })
		assert.truthy(result.err:find("nothing to pack", 1, true))
		assert.equal(1, result.status)
	end)

	it("leaves nothing when interrupted", function()
		run.shell("mkdir a; echo y >a/mapinfo.lua; head -c 60000000 /dev/urandom >a/big", dir)
		for _, out in ipairs { "o.sd7", "o.sdd" } do
			run.shell(([[%s pack a -j1 -o %s & pid=$!; sleep 0.15; kill -TERM $pid; wait $pid; true]])
				:format(run.quote(run.program), out), dir)
			local names = run.shell("ls", dir).out
			-- whole where the machine was quicker than the signal, else not there at all
			assert.is_true(names == "a\n" or names == "a\n" .. out .. "\n", names)
			if run.exists(dir .. "/" .. out) then
				local whole = run.unpacked(dir .. "/" .. out) .. "/big"
				assert.equal(60000000, require "lfs".attributes(whole, "size"))
				run.shell("rm -r " .. out, dir)
			end
		end
	end)

end)
