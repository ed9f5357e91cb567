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

	it("01_flat is under 15 lines", function()
		local _, lines = run.read "examples/01_flat/build.lua":gsub("\n", "")
		assert.is_true(lines < 15)
	end)
end)
