--- `mapwright info`: what a file is, what is in it, and what is wrong with it.
local core = require "mapwright.core"
local term = require "mapwright.cli.term"

-- Names in files are a stranger's: nothing in them may reach the terminal as a command.
local function shown(text)
	return (text:gsub("%c", "?"))
end

-- One "key: value" line a fact; lists on one line, tables below with an indent.
local function print_value(key, value, indent)
	local pad = ("  "):rep(indent)
	if type(value) ~= "table" then
		local text = type(value) == "number" and core.base.number_text(value) or tostring(value)
		print(("%s%s: %s"):format(pad, key, shown(text)))
		return
	end
	local keys = value.__keys or require "mapwright.util.ordered".keys(value)
	if #value > 0 and type(value[1]) ~= "table" then
		local out = {}
		for i, v in ipairs(value) do
			out[i] = type(v) == "number" and core.base.number_text(v) or shown(tostring(v))
		end
		print(("%s%s: %s"):format(pad, key, table.concat(out, ", ")))
	elseif #value > 0 and value[1].name and value[1].size then
		print(("%s%s:"):format(pad, key))
		for _, e in ipairs(value) do print(("%s  %12d  %s"):format(pad, e.size, shown(e.name))) end
	elseif #keys == 0 then
		print(("%s%s: none"):format(pad, key))
	else
		print(("%s%s:"):format(pad, key))
		for _, k in ipairs(keys) do
			if value[k] ~= nil then print_value(k, value[k], indent + 1) end
		end
	end
end

local function print_formats()
	for _, row in ipairs(require "mapwright.format".list()) do
		print(("%-8s %s (%s)%s"):format(row.name, row.title, table.concat(row.extensions, " "),
			row.writable and "" or ", read only"))
	end
end

return {
	summary = "say what a file is and what is in it",
	usage = "PATH [--json] | --formats | SCRIPT --inputs",
	operands = { 0, 1 },
	options = {
		{ "--json", key = "json", doc = "one JSON document" },
		{ "--formats", key = "formats", doc = "list the formats that are known" },
		{ "--inputs", key = "inputs", doc = "list the files that a build script reads" },
		{ "--max-unpacked", arg = "SIZE", key = "max_unpacked", pattern = "^%d+[kKmMgG]?$",
			doc = "let an archive unpack to this much (default 512M)" },
	},
	run = function(options, operands)
		local path = operands[1]
		if options.formats then
			print_formats()
			return 0
		elseif not path then
			term.error "info: needs a file"
			io.stderr:write "Try 'mapwright info --help'.\n"
			return 2
		elseif options.inputs then
			local build = require "mapwright.build"
			build.declare(build.find_script(path), {})
			for _, input in ipairs(require "mapwright.project".inputs) do print(input) end
			return 0
		end
		if options.max_unpacked then
			require "mapwright.archive".limit_unpacked(
				require "mapwright.util.bytes" (options.max_unpacked))
		end
		local info, findings = require "mapwright.format".info(path)
		if options.json then
			print(core.base.json_write(info, 2))
		else
			for _, key in ipairs(info.__keys) do
				if info[key] ~= nil then print_value(key, info[key], 0) end
			end
		end
		return term.findings(path, findings) and 1 or 0
	end,
}
