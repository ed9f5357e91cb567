--- `mapwright build`: run a build script and make its targets.
local core = require "mapwright.core"
local term = require "mapwright.cli.term"

-- 1234567 -> "1,234,567"
local function thousands(n)
	local text = ("%d"):format(n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
	return (text:gsub("^,", ""))
end

local function print_stats()
	local rows = core.log.stats()
	io.stderr:write(("%-8s %9s %9s %10s %15s %9s\n"):format("stage", "wall s", "CPU s", "items",
		"bytes", "peak MB"))
	local wall, cpu = 0, 0
	for _, row in ipairs(rows) do
		io.stderr:write(("%-8s %9.2f %9.2f %10s %15s %9.0f\n"):format(row.stage, row.wall, row.cpu,
			thousands(row.items), thousands(row.bytes), row.peak / 1e6))
		wall, cpu = wall + row.wall, cpu + row.cpu
	end
	local total = core.log.process()
	total.wall = total.wall - term.started
	io.stderr:write(("%-8s %9.2f %9.2f %10s %15s %9.0f\n"):format("process", total.wall, total.cpu, "",
		"", total.peak / 1e6))
end

-- A make rule: outputs depend on the script and all it read.
local function write_depfile(path, reports)
	local project = require "mapwright.project"
	local function escape(name) return (name:gsub("[ #]", "\\%0"):gsub("%$", "$$$$")) end
	local outs, ins = {}, {}
	for _, report in ipairs(reports) do
		for _, out in ipairs(report.outputs) do outs[#outs + 1] = escape(out.path) end
	end
	for _, input in ipairs(project.inputs) do ins[#ins + 1] = escape(input) end
	core.fs.write(path, table.concat(outs, " ") .. ": " .. table.concat(ins, " ") .. "\n")
end

local function parse_defines(list)
	local defines = {}
	for _, text in ipairs(list) do
		local name, value = text:match "^([%a_][%w_]*)=(.*)$"
		defines[name] = value
	end
	return defines
end

return {
	summary = "run a build script and make its targets",
	usage = "[OPTION]... [SCRIPT=build.lua]",
	operands = { 0, 1 },
	options = {
		{ "-o", "--out", arg = "DIR", key = "out_dir", doc = "put outputs below DIR" },
		{ "-j", "--jobs", arg = "N", key = "jobs", kind = "integer", min = 1, max = 256,
			doc = "threads; the result is the same for any number" },
		{ "-D", arg = "NAME=VALUE", key = "defines", many = true, pattern = "^[%a_][%w_]*=",
			doc = "set what the script asks for by mw.define" },
		{ "--only", arg = "TARGET", key = "only", many = true,
			doc = "make only this target (its file or kind)" },
		{ "--plan", key = "plan", doc = "say what would be made and stop" },
		{ "--strict", key = "strict", doc = "warnings and losses are errors" },
		{ "--stats", key = "stats", doc = "print time, CPU and memory per stage" },
		{ "--no-cache", key = "no_cache", doc = "make everything anew" },
		{ "--fast", key = "speed", value = "fast", doc = "quick archive and texture for trying out" },
		{ "--release", key = "speed", value = "release", doc = "smallest archive, best texture" },
		{ "--depfile", arg = "FILE", key = "depfile", doc = "write a make rule of what was read" },
	},
	run = function(options, operands)
		local build = require "mapwright.build"
		if options.jobs then core.base.set_threads(options.jobs) end
		options.defines = parse_defines(options.defines)
		local script = build.find_script(operands[1])
		local reports = build.run(script, options)
		if options.plan then
			for _, target in ipairs(reports) do
				print(("%s: %s %s"):format(target.at, target.kind, target.path))
			end
			return 0
		end
		for _, report in ipairs(reports) do
			for _, line in ipairs(report.lines or {}) do term.say("%s", line) end
			for _, out in ipairs(report.outputs) do
				if not options.quiet then print(("%s  %s bytes"):format(out.path, thousands(out.bytes))) end
			end
		end
		if options.depfile then write_depfile(options.depfile, reports) end
		if options.stats then print_stats() end
		return 0
	end,
}
