--- The command line: `main(argv)` picks a command and returns the exit status
--- (0 done, 1 the work failed, 2 the command line is wrong).
local args = require "mapwright.cli.args"
local errors = require "mapwright.errors"
local term = require "mapwright.cli.term"

local M = {}

-- Commands in the order of `--help`. Each module mapwright.cli.<name> has
-- {summary, usage, options = rows for args.parse, run = function(options, operands) -> status}.
local commands = { "build", "new", "info", "dump", "convert", "query", "pack", "preview",
	"eval", "lint", "lua" }

M.commands = commands

local function command(name)
	local ok, found = pcall(require, "mapwright.cli." .. name)
	if ok then return found end
	local missing = "module 'mapwright.cli." .. name .. "' not found"
	if type(found) == "string" and found:find(missing, 1, true) then
		return nil
	end
	error(found, 0)
end

local function present()
	local out = {}
	for _, name in ipairs(commands) do
		if command(name) then out[#out + 1] = name end
	end
	return out
end

local function overview()
	local out = { "usage: mapwright COMMAND [OPTION]... [FILE]...", "" }
	for _, name in ipairs(present()) do
		out[#out + 1] = ("  %-9s %s"):format(name, command(name).summary)
	end
	out[#out + 1] = ""
	out[#out + 1] = "  mapwright COMMAND --help   what a command takes"
	out[#out + 1] = "  mapwright --version        the version and what is linked"
	return table.concat(out, "\n") .. "\n"
end

local function version()
	local rows = require "mapwright.version".linked
	local out = { ("%s %s"):format(rows[1][1], rows[1][2]) }
	for i = 2, #rows do out[#out + 1] = ("  %s %s"):format(rows[i][1], rows[i][2]) end
	return table.concat(out, "\n") .. "\n"
end

--- Run one command line. argv[0] is the program.
---@param argv string[]
---@return integer status
function M.main(argv)
	local name = argv[1]
	if not name then
		io.stderr:write(overview())
		return 2
	elseif name == "--help" or name == "-h" or name == "help" then
		io.stdout:write(overview())
		return 0
	elseif name == "--version" then
		io.stdout:write(version())
		return 0
	end
	local found = name:match "^%a+$" and command(name)
	if not found then
		term.error("unknown command '%s'%s", name,
			require "mapwright.util.suggest" (name, present()))
		io.stderr:write("Try 'mapwright --help'.\n")
		return 2
	end
	local options, operands = args.parse(found, name, argv, 2)
	if not options then return operands end
	term.setup(options)
	local ok, result = xpcall(found.run, function(problem)
		local text = errors.settle(problem)
		if not os.getenv "MAPWRIGHT_TRACE" then return text end
		return debug.traceback(tostring(text), 2)
	end, options, operands)
	term.flush_warnings()
	if not ok then
		term.error("%s", tostring(result))
		return 1
	end
	return result or 0
end

return M
