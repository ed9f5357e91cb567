--- Options of a command line from rows: {"-j", "--jobs", arg = "N", key = "jobs", kind = "integer",
--- min = 1, max = 256, many = false, doc = "..."}. A row without `arg` is a switch;
--- check(text) gives a problem or nil.
local suggest = require "mapwright.util.suggest"
local term = require "mapwright.cli.term"

local M = {}

-- Every command has these.
local common = {
	{ "-q", "--quiet", key = "quiet", doc = "say nothing but errors" },
	{ "-v", "--verbose", key = "verbose", doc = "say more" },
	{ "--color", arg = "WHEN", key = "color", enum = { "auto", "always", "never" },
		doc = "colour messages: auto, always, never" },
	{ "-h", "--help", key = "help", doc = "this text" },
}

M.common = common

local function rows_of(command)
	local rows = {}
	for _, row in ipairs(command.options or {}) do rows[#rows + 1] = row end
	for _, row in ipairs(common) do rows[#rows + 1] = row end
	return rows
end

local function help(command, name)
	local out = { "usage: mapwright " .. name .. " " .. command.usage, "", command.summary, "" }
	for _, row in ipairs(rows_of(command)) do
		local names = table.concat(row, ", ") .. (row.arg and " " .. row.arg or "")
		out[#out + 1] = ("  %-26s %s"):format(names, row.doc)
	end
	if command.notes then
		out[#out + 1] = ""
		out[#out + 1] = command.notes
	end
	return table.concat(out, "\n") .. "\n"
end
M.help = help

local function usage_error(name, fmt, ...)
	term.error("%s: " .. fmt, name, ...)
	io.stderr:write(("Try 'mapwright %s --help'.\n"):format(name))
	return nil, 2
end

local function convert(row, text)
	if row.kind == "integer" or row.kind == "number" then
		local value = tonumber(text)
		if row.kind == "integer" then value = text:match "^%-?%d+$" and math.tointeger(value) end
		if not value then
			return nil, ("expected a %s, got '%s'"):format(
				row.kind == "integer" and "whole number" or "number", text)
		end
		if (row.min and value < row.min) or (row.max and value > row.max) then
			return nil, ("%s is outside %s..%s"):format(text, row.min or "", row.max or "")
		end
		return value
	elseif row.enum then
		for _, allowed in ipairs(row.enum) do
			if text == allowed then return text end
		end
		return nil, ("must be one of %s, got '%s'%s"):format(table.concat(row.enum, ", "), text,
			suggest(text, row.enum))
	elseif row.pattern and not text:match(row.pattern) then
		return nil, ("expected %s, got '%s'"):format(row.arg, text)
	elseif text == "" then
		return nil, "expected " .. row.arg .. ", got nothing"
	end
	local problem = row.check and row.check(text)
	if problem then return nil, problem end
	return text
end

--- options by key and operands, or nil and the exit status after a message.
function M.parse(command, name, argv, first)
	local rows, by_name, options, operands = rows_of(command), {}, {}, {}
	for _, row in ipairs(rows) do
		for _, flag in ipairs(row) do by_name[flag] = row end
		if row.many then options[row.key] = {} end
	end
	local i, only_operands = first, false
	while argv[i] do
		local word = argv[i]
		if only_operands or word == "-" or not word:match "^%-"
			or (command.numbers and tonumber(word)) then
			operands[#operands + 1] = word
			if command.stop_at_operand then only_operands = true end
		elseif word == "--" then
			only_operands = true
		else
			local flag, value = word:match "^(%-%-[^=]+)=(.*)$"
			flag = flag or word
			local row = by_name[flag]
			if not row and not flag:match "^%-%-" and #flag > 2 then -- -j2, -Dname=value
				row = by_name[flag:sub(1, 2)]
				if row and row.arg then flag, value = flag:sub(1, 2), flag:sub(3) else row = nil end
			end
			if not row then
				return usage_error(name, "unknown option '%s'%s", flag, suggest(flag, by_name))
			end
			if row.arg then
				if value == nil then
					i = i + 1
					value = argv[i]
					if value == nil then return usage_error(name, "%s needs %s", flag, row.arg) end
				end
				local converted, problem = convert(row, value)
				if problem then return usage_error(name, "%s: %s", flag, problem) end
				if row.many then
					table.insert(options[row.key], converted)
				else
					options[row.key] = converted
				end
			else
				if value then return usage_error(name, "%s takes no value", flag) end
				options[row.key] = row.value == nil and true or row.value
			end
		end
		i = i + 1
	end
	if options.help then
		io.stdout:write(help(command, name))
		return nil, 0
	end
	for _, row in ipairs(rows) do
		if row.required and options[row.key] == nil then
			return usage_error(name, "needs %s %s (%s)", row[1], row.arg, row.doc)
		end
	end
	for _, operand in ipairs(operands) do
		if operand == "" then return usage_error(name, "a file's name is empty") end
	end
	local least, most = table.unpack(command.operands or { 0, math.huge })
	if #operands < least then
		return usage_error(name, "needs %s", command.operand_name or "a file")
	elseif #operands > most then
		return usage_error(name, "unexpected '%s'", operands[most + 1])
	end
	return options, operands
end

return M
