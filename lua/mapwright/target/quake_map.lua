--- mw.target.quake_map: a level of the Quake family from a scene.
local build = require "mapwright.build"
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local format = require "mapwright.format.qmap"
local losses_text = require "mapwright.util.losses"
local opts = require "mapwright.opts"
local project = require "mapwright.project"
local schema = require "mapwright.schema.quake_map"

local M = {}

--- Declare the target.
---@param given mapwright.options.quake_map.target
function M.declare(given)
	local o = opts.check(schema.target, given)
	if not o.out:lower():match "%.map$" then
		errors.fail("target.quake_map: 'out' = '%s' must end in .map", o.out)
	end
	if o.textures then o.textures = project.resolve(o.textures) end
	build.register {
		kind = "quake_map", out = o.out, path = project.output(o.out), at = errors.where(),
		options = o, build = M.build,
	}
end

--- Make the target. `run` is the build's {speed, strict, may_write}.
function M.build(target, run)
	local o, lines = target.options, {}
	local bytes, losses = format.save(o.scene.raw, o)
	local lost = losses_text(losses)
	if lost then
		if run.strict then
			errors.fail_at(target.at, "%s: not written: it would leave out %s, and strict is on",
				o.out, lost)
		end
		lines[#lines + 1] = ("%s: left out %s"):format(o.out, lost)
	end
	run.may_write()
	core.fs.write(target.path, bytes)
	return { outputs = { { path = target.path, bytes = #bytes } }, lines = lines }
end

return M
