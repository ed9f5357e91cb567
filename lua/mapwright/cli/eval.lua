--- `mapwright eval`: mapinfo.lua as the engine has it.
local base = require "mapwright.core".base
local term = require "mapwright.cli.term"

local function place_of(result, failure)
	local file = failure.file and failure.file ~= "" and failure.file or result.file or ""
	return result.site.label(file) .. (failure.line and ":" .. failure.line or "")
end

local function option_table(list)
	local out = {}
	for _, text in ipairs(list) do
		local name, value = text:match "^([^=]+)=(.*)$"
		out[name] = value
	end
	return out
end

-- What the archive scanner would make of the file, where it differs from what a game sees.
local function scan_notes(result, warn)
	local scan = result.scan
	if not result.site.main then return end
	for _, event in ipairs(scan.events) do
		if event.kind == "file-exists" then
			warn(event.line, "scan-file-exists", "VFS.FileExists is called while archives are scanned:"
				.. " the engine crashes there, for every map of the user")
		end
	end
	if scan.failure and not result.failure then
		warn(scan.failure.line, "mapinfo-scan-fails", ("fails in the archive scan (%s): the map is listed"
			.. " as %s"):format(scan.failure.message, result.name and "'" .. result.name .. "'"
			or "nothing"))
	elseif not result.name and not result.failure then
		warn(nil, "name-missing", "there is no name: the engine does not list the map")
	elseif scan.info and type(scan.info.version) == "number" then
		warn(nil, "numeric-version", ("version is a number: the engine lists the map as '%s'")
			:format(result.name))
	end
end

local function general_notes(result)
	local function warn(line, id, text)
		term.warning(result.site.label(result.file) .. (line and ":" .. line or ""), id, text)
	end
	if not result.file then
		term.warning(result.site.path, "mapinfo-absent",
			"there is no mapinfo.lua and no .smd: the engine takes its defaults")
		return
	end
	if result.loaded.returned and result.loaded.returned ~= "table" then
		warn(nil, "mapinfo-no-table", ("returns no table (%s): the engine takes its defaults for"
			.. " everything"):format(result.loaded.returned))
	end
	scan_notes(result, warn)
	for _, event in ipairs(result.events or {}) do
		if event.kind == "random" then
			warn(event.line, "mapinfo-math-random", "math.random returns nothing here")
		end
	end
end

local function all_options(result, json)
	local eval, show = require "mapwright.mapinfo.eval", require "mapwright.mapinfo.show"
	local site = result.site
	local options, failure = eval.map_options(site)
	if not options then
		term.error("%s: %s", site.label(failure.file or "mapoptions.lua")
			.. (failure.line and ":" .. failure.line or ""), failure.message)
		return 1
	end
	local rows, failed = {}, 0
	for _, option in ipairs(options) do
		for _, value in ipairs(eval.option_values(option)) do
			local given = {}
			for k, v in next, result.options do given[k] = v end
			given[option.key] = value
			local run = eval.load(site, given)
			local row = { option = option.key, value = value, changes = {} }
			if run.failure then
				failed = failed + 1
				row.error = run.failure.message
				row.file, row.line = run.failure.file, run.failure.line
			else
				eval.differences(result.info, run.info, function(path, old, new)
					table.insert(row.changes, { path = path, old = old, new = new })
				end)
			end
			rows[#rows + 1] = row
		end
	end
	if json then
		for _, row in ipairs(rows) do
			if #row.changes == 0 then row.changes = nil end
		end
		io.stdout:write(show.json(rows))
		return failed > 0 and 1 or 0
	end
	for _, row in ipairs(rows) do
		io.stdout:write(("%s = %s\n"):format(row.option, row.value))
		if row.error then
			io.stdout:write(("\tfails: %s:%s: %s\n"):format(row.file, row.line or "?", row.error))
		elseif #row.changes == 0 then
			io.stdout:write "\tno change\n"
		end
		for _, c in ipairs(row.changes) do
			io.stdout:write(("\t%s: %s -> %s\n"):format(c.path,
				c.old == nil and "(absent)" or show.lua(c.old, "\t"),
				c.new == nil and "(absent)" or show.lua(c.new, "\t")))
		end
	end
	if failed > 0 then
		term.error("%s: %d option value%s make it fail", site.label(result.file), failed,
			failed == 1 and "" or "s")
		return 1
	end
	return 0
end

local notes = {
	clamped = function(item) return "the file says " .. base.number_text(item.before
		or item.given) end,
	default = function() return "what the file says is of no use" end,
	ignored = function() return "what the file says does not count here" end,
	text = function() return "given as text" end,
	["no-number"] = function() return "text that is no number reads as 0" end,
}

local function effective(result, wanted, json)
	local convert, show = require "mapwright.mapinfo.convert", require "mapwright.mapinfo.show"
	local eval, sources = require "mapwright.mapinfo.eval", require "mapwright.mapinfo.source"
	local list, origins = convert.effective(result.info), eval.origins(result)
	local included = eval.included(result)
	local out, order = {}, {}
	for _, item in ipairs(list) do
		local keep = #wanted == 0
		for _, key in ipairs(wanted) do
			local low = key:lower()
			keep = keep or item.path == low or item.path:sub(1, #low + 1):match "^(.*)[.%[]$" == low
		end
		if keep then
			local row = { value = item.value, from = item.from, __order = item.path }
			if item.value == nil then row.value = nil end
			if item.from == "file" then
				local file = origins[item.path]
				local source = file and included[file:lower()] or result.source
				local entry = source and sources.nearest(source, item.path)
				row.file = file or result.file
				row.from = file and "override" or "file"
				row.line, row.col = entry and entry.line, entry and entry.col
			end
			local note = item.note and notes[item.note]
			row.note = note and note(item) or (item.from == "default" and item.row.default_text) or nil
			row.unit = item.row.unit
			out[item.path] = row
			order[#order + 1] = item
		end
	end
	if json then
		local doc = { __keys = {} }
		for i, item in ipairs(order) do
			local row = out[item.path]
			row.__order = nil
			doc[item.path] = show.plain(row)
			doc.__keys[i] = item.path
		end
		io.stdout:write(base.json_write(doc, 2), "\n")
		return 0
	end
	for _, item in ipairs(order) do
		local row = out[item.path]
		local place = row.from == "default" and "default"
			or result.site.label(row.file) .. (row.line and ":" .. row.line or "")
		io.stdout:write(("%-40s %s%s  -- %s%s\n"):format(item.path .. " =",
			row.value == nil and "nil" or show.lua(row.value), row.unit and " " .. row.unit or "",
			place, row.note and "; " .. row.note or ""))
	end
	return 0
end

return {
	summary = "evaluate a map's mapinfo.lua as the engine does",
	usage = "PATH [KEY]... [--json|--lua] [--option name=value]... [--all-options] [--effective]",
	operands = { 1, math.huge },
	operand_name = "a mapinfo.lua, .sdd, .sdz, .sd7 or .smd",
	options = {
		{ "--json", key = "json", doc = "print JSON" },
		{ "--lua", key = "lua", doc = "print Lua (the default)" },
		{ "--option", arg = "NAME=VALUE", key = "option", many = true, pattern = "^[^=]+=",
			doc = "value of a map option, as the game hands it out" },
		{ "--all-options", key = "all_options",
			doc = "try each value of mapoptions.lua: what changes, what fails" },
		{ "--effective", key = "effective",
			doc = "every key the engine reads, with its defaults and clamps, and where it is from" },
	},
	notes = "KEY is a path such as gravity, water.damage or teams[0].startPos.x, in any case.\n"
		.. "Keys are printed in lower case, as the engine has them.",
	run = function(options, operands)
		local eval, show = require "mapwright.mapinfo.eval", require "mapwright.mapinfo.show"
		local site = require "mapwright.mapinfo.site".open(operands[1])
		local result = eval.evaluate(site, option_table(options.option))
		general_notes(result)
		if result.failure then
			term.error("%s: %s", place_of(result, result.failure), result.failure.message)
			return 1
		end
		local wanted = table.move(operands, 2, #operands, 1, {})
		if options.all_options then return all_options(result, options.json) end
		if options.effective then return effective(result, wanted, options.json) end
		local print_value = options.json and show.json or function(v) return show.lua(v) .. "\n" end
		if #wanted == 0 then
			io.stdout:write(options.json and next(result.info) == nil and "{}\n"
				or print_value(result.info))
			return 0
		end
		local status = 0
		for _, key in ipairs(wanted) do
			local v = require "mapwright.mapinfo.convert".get(result.info, key:lower())
			if v == nil then
				term.error("%s: there is no '%s'", site.label(result.file), key)
				status = 1
			elseif options.json or type(v) ~= "string" then
				io.stdout:write(print_value(v))
			else
				io.stdout:write(v, "\n")
			end
		end
		return status
	end,
}
