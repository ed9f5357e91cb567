--- What the program says to people: everything but results goes to standard error.
local core_log = require "mapwright.core".log

local M = {
	quiet = false, verbose = false, color = false,
	warnings = 0,
	started = core_log.process().wall,
}

local paint = { error = "1;31", warning = "1;35", note = "1;36", bold = "1" }

local function env(name)
	local value = os.getenv(name)
	return value ~= nil and value ~= ""
end

-- --color beats NO_COLOR beats CLICOLOR_FORCE beats "is it a terminal".
local function want_color(when)
	if when == "always" then return true end
	if when == "never" or env "NO_COLOR" then return false end
	if env "CLICOLOR_FORCE" or env "FORCE_COLOR" then return true end
	return core_log.terminal() and os.getenv "TERM" ~= "dumb"
end

--- Take over the common options.
function M.setup(options)
	M.quiet, M.verbose = options.quiet or false, options.verbose or false
	M.color = want_color(options.color or "auto")
	if M.quiet then core_log.quiet() end
end

local function colored(kind, text)
	return M.color and ("\27[%sm%s\27[0m"):format(paint[kind], text) or text
end

--- A word in the colour of a kind, where colours are on.
function M.paint(kind, text) return colored(kind, text) end

local function put(text)
	core_log.wipe()
	io.stderr:write(text, "\n")
end

--- "mapwright: ..." or "build.lua:3: ..." as an error line.
function M.error(fmt, ...)
	local text = fmt:format(...)
	local place, rest = text:match "^([^\n:]+:%d+): (.*)$"
	if place then
		put(("%s: %s %s"):format(place, colored("error", "error:"), rest))
	else
		put(("%s %s"):format(colored("error", "mapwright:"), text))
	end
end

--- A finding about a file, with its place and rule.
function M.problem(place, severity, text, id)
	put(("%s: %s %s%s"):format(place, colored("error", severity .. ":"), text,
		id and " [" .. id .. "]" or ""))
end

--- A warning with its place and stable id; counted.
function M.warning(place, id, text)
	M.warnings = M.warnings + 1
	if M.quiet then return end
	put(("%s%s %s%s"):format(place and place ~= "" and place .. ": " or "",
		colored("warning", "warning:"), text, id and " [" .. id .. "]" or ""))
end

--- Ordinary news: not with -q.
function M.say(fmt, ...)
	if not M.quiet then put(fmt:format(...)) end
end

--- Findings about a file; returns whether one is an error.
---@param findings {level: string, message: string, rule?: string, offset?: integer}[]
function M.findings(path, findings)
	local failed = false
	for _, f in ipairs(findings) do
		local at = f.offset and ("%s@0x%x"):format(path, f.offset)
			or f.line and ("%s:%d:%d"):format(path, f.line, f.col or 1) or path
		if f.level == "error" then
			failed = true
			M.problem(at, "error", f.message, f.rule)
		elseif f.level == "warning" then
			M.warning(at, f.rule, f.message)
		else
			M.detail("%s: %s [%s]", at, f.message, f.rule)
		end
	end
	return failed
end

--- News for -v.
function M.detail(fmt, ...)
	if M.verbose then put(fmt:format(...)) end
end

--- Print what the core recorded, with the user's line where there is one.
function M.flush_warnings(place)
	for _, m in ipairs(core_log.drain()) do
		if m.level == "warning" then
			M.warning(place, m.id, m.text)
		elseif m.level == "info" then
			M.say("%s", m.text)
		else
			M.detail("%s", m.text)
		end
	end
end

return M
