-- Golden files: what the examples' outputs hold, as text. They only show change.
--   mapwright lua scripts/golden.lua [--check] [NAME...]
-- Builds each examples/NAME/build.lua and writes tests/golden/NAME.txt: hash, size and name of
-- every entry of every output (not of the archive, whose bytes follow the zlib and liblzma
-- versions), then the dump of each terrain file and the text of mapinfo.lua.
-- --check compares and exits 1 on a difference.

package.path = "tests/support/?.lua;" .. package.path
local lfs = require "lfs"
local run = require "run"

local LONGEST_DUMP = 64 * 1024 -- [unit: byte] a longer one is given by its hash alone

local check, names = false, {}
for _, word in ipairs(arg) do
	if word == "--check" then
		check = true
	else
		names[#names + 1] = word
	end
end
if #names == 0 and lfs.attributes("examples", "mode") then
	for name in lfs.dir "examples" do
		if lfs.attributes("examples/" .. name .. "/build.lua", "mode") then
			names[#names + 1] = name
		end
	end
	table.sort(names)
end

local function sha256(text)
	local file = os.tmpname()
	run.write(file, text)
	local sum = run.shell("sha256sum " .. run.quote(file)).out:match "^%x+"
	os.remove(file)
	return sum
end

local function describe(lines, title, root)
	local sums = run.hashes(root)
	lines[#lines + 1] = "== " .. title
	for _, path in ipairs(run.files(root)) do
		lines[#lines + 1] = ("%s %9d %s"):format(sums[path],
			lfs.attributes(root .. "/" .. path, "size"), path)
	end
	for _, path in ipairs(run.files(root)) do
		local text
		if path:match "mapinfo%.lua$" then
			text = run.read(root .. "/" .. path)
		elseif path:match "%.smf$" then
			local dumped = run.mapwright({ "dump", root .. "/" .. path })
			assert(dumped.status == 0, dumped.err)
			text = dumped.out:gsub(root, "", 1)
		end
		if text then
			if #text > LONGEST_DUMP then
				text = ("(%d bytes, sha256 %s)\n"):format(#text, sha256(text))
			end
			lines[#lines + 1] = "-- " .. path
			lines[#lines + 1] = (text:gsub("\n$", ""))
		end
	end
end

local function golden_of(name)
	local out = run.folder()
	local built = run.mapwright({ "build", "--no-cache", "-o", out, "examples/" .. name
		.. "/build.lua" }, { env = { LC_ALL = "C" } })
	assert(built.status == 0, built.err)
	local lines, tops = {}, {}
	for entry in lfs.dir(out) do
		if entry ~= "." and entry ~= ".." then
			tops[#tops + 1] = entry
		end
	end
	table.sort(tops)
	for _, entry in ipairs(tops) do
		if entry:match "%.sd[7zd]$" then
			describe(lines, entry, run.unpacked(out .. "/" .. entry))
		elseif lfs.attributes(out .. "/" .. entry, "mode") == "file" then -- a folder: what it made first
			lines[#lines + 1] = "== " .. entry
			lines[#lines + 1] = sha256(run.read(out .. "/" .. entry))
		end
	end
	return table.concat(lines, "\n") .. "\n"
end

local function first_difference(want, got)
	local number, next_got = 0, got:gmatch "([^\n]*)\n"
	for line in want:gmatch "([^\n]*)\n" do
		number = number + 1
		local other = next_got()
		if other ~= line then
			return ("line %d\n  golden: %s\n  now:    %s"):format(number, line, other or "(end)")
		end
	end
	return "more lines than the golden file"
end

local changed = 0
for _, name in ipairs(names) do
	local path = "tests/golden/" .. name .. ".txt"
	local now = golden_of(name)
	local old = run.exists(path) and run.read(path) or nil
	if old ~= now then
		changed = changed + 1
		if check then
			print(path .. ": " .. (old and first_difference(old, now) or "does not exist"))
		else
			lfs.mkdir "tests/golden"
			run.write(path, now)
			print("wrote " .. path)
		end
	end
end
run.clean()
if check and changed > 0 then
	print "if the change is meant: make golden, and say why in the commit"
	os.exit(1)
end
