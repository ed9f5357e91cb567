-- The shared cases of archives whose parts do not agree.
local case = require "case"
local run = require "run"

local function refused(command, id, name, ...)
	local dir = case.copy(id)
	if not dir then return pending "no shared cases here" end
	local result = run.mapwright { command, dir .. "/" .. name }
	assert.equal(1, result.status, command)
	for _, part in ipairs { ... } do
		assert.truthy((result.err .. result.out):find(part, 1, true), part)
	end
end

describe("a map archive", function()
	after_each(run.clean)

	it("ar07: whose .smf asks for another tile file is refused, both named", function()
		refused("info", "archive/ar07", "renamed.sdd", "old_name.smt", "new_name.smt")
		refused("lint", "archive/ar07", "renamed.sdd", "old_name.smt", "new_name.smt")
	end)

	it("ar09: with two .smf and no mapfile is refused, both named", function()
		refused("info", "archive/ar09", "two.sdd", "a.smf", "b.smf")
		refused("lint", "archive/ar09", "two.sdd", "a.smf", "b.smf")
	end)
end)
