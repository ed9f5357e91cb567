-- Every example builds without a warning that is not expected, and to the same bytes whatever the
-- number of threads, the folder, the locale and the time zone.
local lfs = require "lfs"
local run = require "run"

local examples = {}
for name in lfs.dir "examples" do
	if name:match "^%d%d_" then examples[#examples + 1] = name end
end
table.sort(examples)

-- A copy of an example in a folder of its own.
local function copy(name, below)
	local dir = run.folder() .. (below or "")
	local to = run.quote(dir)
	local line = "mkdir -p %s && cp -r examples/%s/. %s && cd %s && rm -rf made *.sd?"
	assert(run.shell(line:format(to, name, to, to)).status == 0)
	return dir
end

local function build(dir, arguments, env)
	local line = { "build", "--no-cache", table.unpack(arguments or {}) }
	local result = run.mapwright(line, { dir = dir, env = env })
	assert.equal("", result.status ~= 0 and result.err or "")
	return run.hashes(dir), result
end

describe("the examples", function()
	after_each(run.clean)

	for _, name in ipairs(examples) do
		it(name .. " builds to the same bytes on any number of threads, anywhere", function()
			local first, result = build(copy(name))
			assert.is_nil(result.err:match "warning:", result.err)
			local plain = { LC_ALL = "C", TZ = "UTC" }
			assert.same(first, (build(copy(name), { "-j1" }, plain)))
			assert.same(first, (build(copy(name, "/a deep/földer"), { "-j2" },
				{ LC_ALL = "C.UTF-8", TZ = "Asia/Kolkata" })))
			assert.same(first, (build(copy(name), { "-j7" },
				{ LANG = "de_DE.UTF-8", TZ = "America/St_Johns" })))
			assert.same(first, (build(copy(name), { "-j7" })))
		end)
	end

	-- What the vector code of this machine may use; a set that it lacks ends the program with 2.
	local function sets()
		local list = {}
		for _, name in ipairs { "portable", "sse41", "avx2" } do
			if run.mapwright({ "--version" }, { env = { MAPWRIGHT_ISA = name } }).status == 0 then
				list[#list + 1] = name
			end
		end
		return list
	end

	it("02_twin_ridges builds to the same bytes by every instruction set, -j1 and -j7", function()
		local dir = copy "02_twin_ridges"
		local first
		for _, isa in ipairs(sets()) do
			for _, jobs in ipairs { "-j1", "-j7" } do
				local made = build(dir, { jobs }, { MAPWRIGHT_ISA = isa })
				first = first or made
				assert.same(first, made, isa .. " " .. jobs)
			end
		end
		assert.equal(0, run.mapwright({ "--version" },
			{ env = { MAPWRIGHT_ISA = "portable" } }).status)
		assert.not_equal(0, run.mapwright({ "--version" }, { env = { MAPWRIGHT_ISA = "mmx" } }).status)
	end)

	it("hold what their golden files say", function()
		local result = run.mapwright { "lua", "scripts/golden.lua", "--check" }
		assert.equal("", result.status ~= 0 and result.out .. result.err or "")
	end)

	it("01_flat is under 15 lines", function()
		local _, lines = run.read "examples/01_flat/build.lua":gsub("\n", "")
		assert.is_true(lines < 15)
	end)
end)
