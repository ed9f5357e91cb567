--- mw.target.hmap: a Rockgrave level from a scene.
local build = require "mapwright.build"
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local format = require "mapwright.format.hmap"
local losses_text = require "mapwright.util.losses"
local opts = require "mapwright.opts"
local project = require "mapwright.project"
local schema = require "mapwright.schema.hmap"

local M = {}

--- Declare the target.
---@param given mapwright.options.hmap.target
function M.hmap(given)
	local o = opts.check(schema.target, given)
	if not o.out:lower():match "%.hmap$" then
		errors.fail("target.hmap: 'out' = '%s' must end in .hmap", o.out)
	end
	build.register {
		kind = "hmap", out = o.out, path = project.output(o.out), at = errors.where(),
		options = o, build = M.build,
	}
end

M.declare = M.hmap

--- Make the target. `run` is the build's {speed, strict, may_write}.
function M.build(target, run)
	local o, lines = target.options, {}
	for _, f in ipairs(o.scene.raw:check()) do
		-- what the compiler says of open and empty brushes lacks the line that made them
		local place = f.where and f.where ~= "" and f.where .. ": " or ""
		if f.level == "error" and f.rule ~= "brush-open" and f.rule ~= "brush-empty" then
			errors.fail_at(target.at, "%s: %s%s", o.out, place, f.message)
		end
		core.log.put("warning", f.rule, place .. f.message)
	end
	local hmap, losses = core.hmap.from_scene(o.scene.raw)
	format.finish(hmap, o, function(id, message)
		if not id:match "^brush%-" then core.log.put("warning", id, message) end
	end)
	local lost = losses_text(losses)
	if lost then
		if run.strict then
			errors.fail_at(target.at, "%s: not written: it would leave out %s, and strict is on",
				o.out, lost)
		end
		lines[#lines + 1] = ("%s: left out %s"):format(o.out, lost)
	end
	local bytes = hmap:write()
	run.may_write()
	core.fs.write(target.path, bytes)
	return { outputs = { { path = target.path, bytes = #bytes } }, lines = lines }
end

return M
