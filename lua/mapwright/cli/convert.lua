--- `mapwright convert`: any readable level file to any writable one.
--- A kind of file takes part by what its row (mapwright.format.<name>) has:
---   load = function(path, settings) -> scene, compiled?  it can be read as a level
---   save = function(scene, settings) -> bytes, losses    a level can be written as it
---   settings = schema rows                                what --set may say when writing
---   reading = schema rows                                 and when reading: load gets it too
---   convert = function(path, settings, given) -> bytes, losses   to its own kind, losing nothing
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local format = require "mapwright.format"
local opts = require "mapwright.opts"
local suggest = require "mapwright.util.suggest"
local term = require "mapwright.cli.term"

-- The row whose kind a path names by its extension, and the names of all that can be written.
local function writer_of(path)
	local known, extension = {}, path:lower():match "(%.[^./\\]*)$" or ""
	for _, kind in ipairs(format.list()) do
		local ok, row = pcall(require, "mapwright.format." .. kind.name)
		if ok and row.save then
			for _, e in ipairs(kind.extensions) do
				if e == extension then return row end
				known[#known + 1] = e
			end
		end
	end
	errors.raise("unsupported", "%s: no kind of level that can be written ends so; there is %s",
		path, table.concat(known, ", "))
end

-- "true", "12", "fast" as the row's type wants them.
local function value_of(row, text)
	local kinds = type(row.type) == "table" and row.type or { row.type }
	for _, kind in ipairs(kinds) do
		if kind == "boolean" then
			if text == "true" or text == "yes" or text == "1" then return true end
			if text == "false" or text == "no" or text == "0" then return false end
		elseif kind == "number" or kind == "integer" then
			local v = tonumber(text)
			if v then return kind == "integer" and math.tointeger(v) or v end
		end
	end
	return text
end

-- {name = value} of the --set options, for what is written and what is read.
local function settings_of(row, reader, list)
	local rows, given, reading = {}, {}, {}
	for _, r in ipairs(row.settings or {}) do rows[r.name] = r end
	for _, r in ipairs(reader.reading or {}) do
		rows[r.name], reading[r.name] = rows[r.name] or r, true
	end
	for _, text in ipairs(list) do
		local name, value = text:match "^([%a_][%w_]*)=(.*)$"
		if not rows[name] then
			local names = {}
			for known in next, rows do names[#names + 1] = known end
			table.sort(names)
			errors.raise("invalid", "--set %s: a %s has no such setting%s; there is %s", name,
				row.title, suggest(name, rows), names[1] and table.concat(names, ", ") or "none")
		end
		given[name] = value_of(rows[name], value)
	end
	local read, write = {}, {}
	for name, value in next, given do
		local part = reading[name] and read or write
		part[name] = value
	end
	local out = opts.check(row.settings or { name = row.name }, write, "--set")
	for name, value in next, opts.check(reader.reading or { name = row.name }, read, "--set") do
		out[name] = value
	end
	return out, given
end

return {
	summary = "write a level as another kind of file",
	usage = "IN OUT | IN -o OUT [--set NAME=VALUE]... [--strict]",
	operands = { 1, 2 },
	operand_name = "the level to read and the file to write",
	options = {
		{ "-o", "--out", arg = "FILE", key = "out", doc = "the file to write" },
		{ "--set", arg = "NAME=VALUE", key = "set", many = true, pattern = "^[%a_][%w_]*=",
			doc = "an option of writing, as the target of that kind has it, or\n"
				.. (" "):rep(29) .. "of reading, as mw.level has it" },
		{ "-j", "--jobs", arg = "N", key = "jobs", kind = "integer", min = 1, max = 256,
			doc = "threads; the result is the same for any number" },
		{ "--strict", key = "strict", doc = "warnings and losses are errors" },
	},
	run = function(options, operands)
		local from, to = operands[1], operands[2]
		if (to ~= nil) == (options.out ~= nil) then
			term.error("convert: %s", to and "give the output once" or "needs a file to write")
			io.stderr:write "Try 'mapwright convert --help'.\n"
			return 2
		end
		to = to or options.out
		if options.jobs then core.base.set_threads(options.jobs) end
		local reader, writer = format.of(from), writer_of(to)
		local settings, given = settings_of(writer, reader, options.set)
		local bytes, losses
		if reader == writer and writer.convert then
			bytes, losses = writer.convert(from, settings, given)
		elseif not reader.load then
			errors.raise("unsupported", "%s: a %s cannot be read as a level", from, reader.title)
		else
			bytes, losses = writer.save((reader.load(from, settings)), settings)
		end
		term.flush_warnings(to)
		local lost = require "mapwright.util.losses" (losses)
		if options.strict and (lost or term.warnings > 0) then
			errors.raise("invalid", "%s: not written: %s, and --strict is on", to,
				lost and "it would leave out " .. lost or term.warnings .. " warnings")
		end
		core.fs.write(to, bytes)
		if lost then term.say("%s: left out %s", to, lost) end
		return 0
	end,
}
