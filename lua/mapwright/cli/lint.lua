--- `mapwright lint`: what is wrong with a map, as the engine would have it.
local core = require "mapwright.core"
local diag = require "mapwright.diag"
local errors = require "mapwright.errors"
local term = require "mapwright.cli.term"

local function list_rules(rules)
	local out = {}
	for _, r in ipairs(rules) do
		out[#out + 1] = ("%-30s %-8s %s%s"):format(r.id, r.severity, r.title,
			(r.profile and " (profile " .. r.profile .. ")" or "") .. (r.fix and " (--fix)" or ""))
	end
	io.stdout:write(table.concat(out, "\n"), "\n")
	return 0
end

local function explain(rules, id)
	local r = rules.find(id)
	if not r then
		term.error("lint: no rule is called '%s'%s", id,
			require "mapwright.util.suggest" (id, rules.ids()))
		return 2
	end
	io.stdout:write(("%s: %s\n\nSeverity: %s%s\n\n%s\n"):format(r.id, r.title, r.severity,
		(r.profile and "; only with --profile=" .. r.profile or "")
		.. (r.fix and "; lint --fix mends it" or ""), r.text))
	return 0
end

-- nil and the status after a message, or the set of ids
local function disabled(rules, list)
	local out = {}
	for _, word in ipairs(list) do
		for id in word:gmatch "[^,]+" do
			if not rules.find(id) then
				term.error("lint: --disable=%s: no rule is called so%s", id,
					require "mapwright.util.suggest" (id, rules.ids()))
				return nil
			end
			out[id] = true
		end
	end
	return out
end

local function mend(options, findings, site)
	local fix = require "mapwright.mapinfo.fix"
	local texts, names = fix.texts(findings, site), {}
	for name in next, texts do names[#names + 1] = name end
	table.sort(names)
	for _, name in ipairs(names) do
		local t, label = texts[name], site.label(name)
		if not options.write then
			io.stdout:write(fix.diff(label, t.old, t.new))
		elseif site.kind ~= "folder" then
			term.error("%s: --write changes files of folders only; unpack the archive first", site.path)
			return false
		else
			core.fs.write(label, t.new)
			term.say("%s: %d fix%s", label, t.count, t.count == 1 and "" or "es")
		end
	end
	return true
end

-- All that lint knows, of maps and of levels of brushes.
local function all_rules()
	local parts = { require "mapwright.mapinfo.rules", require "mapwright.levellint.rules" }
	local out = {}
	for _, part in ipairs(parts) do
		for _, row in ipairs(part) do out[#out + 1] = row end
	end
	function out.find(id) return parts[1].find(id) or parts[2].find(id) end
	function out.ids()
		local ids = {}
		for i, row in ipairs(out) do ids[i] = row.id end
		return ids
	end
	return out
end

-- Findings of a level of brushes, mended when that is asked for.
local function level(options, path, off)
	local levels = require "mapwright.levellint"
	local findings = levels.check(path, { disabled = off })
	if options.fix then
		local old, new, count, bytes = levels.fix(path, findings)
		if count > 0 and not options.write then
			io.stdout:write(require "mapwright.mapinfo.fix".diff(path, old, new))
		elseif count > 0 then
			core.fs.write(path, bytes)
			term.say("%s: %d fix%s", path, count, count == 1 and "" or "es")
		end
	end
	return findings
end

return {
	summary = "say what is wrong with a map, its mapinfo.lua, or a level",
	usage = "[OPTION]... PATH...",
	operands = { 0, math.huge },
	operand_name = "a mapinfo.lua, .sdd, .sdz, .sd7, .smd, .smf, .map or .hmap",
	options = {
		{ "--format", arg = "KIND", key = "format", enum = diag.formats, doc = "text, json or sarif" },
		{ "--profile", arg = "NAME", key = "profile", enum = { "engine", "bar" },
			doc = "engine (the default), or bar: what Beyond All Reason wants besides" },
		{ "--disable", arg = "ID", key = "disable", many = true, doc = "leave out a rule (repeatable)" },
		{ "--max-warnings", arg = "N", key = "max_warnings", kind = "integer", min = 0,
			doc = "more warnings than this count as failure" },
		{ "--fix", key = "fix", doc = "show the safe fixes as a diff" },
		{ "--write", key = "write", doc = "with --fix: write them" },
		{ "--rules", key = "rules", doc = "list all rules" },
		{ "--explain", arg = "ID", key = "explain", doc = "say what a rule is about" },
	},
	notes = "`-- mapwright: allow ID` in mapinfo.lua silences a rule: behind code for that line,\n"
		.. "alone on a line for the whole map. Status: 1 when there is an error, or too many warnings.",
	run = function(options, operands)
		local rules = all_rules()
		if options.rules then return list_rules(rules) end
		if options.explain then return explain(rules, options.explain) end
		if #operands == 0 then
			term.error("lint: needs a mapinfo.lua, .sdd, .sdz, .sd7, .smd, .smf, .map or .hmap")
			io.stderr:write "Try 'mapwright lint --help'.\n"
			return 2
		elseif options.write and not options.fix then
			term.error("lint: --write goes with --fix")
			return 2
		end
		local off = disabled(rules, options.disable)
		if not off then return 2 end
		local lint, sites = require "mapwright.mapinfo.lint", require "mapwright.mapinfo.site"
		local all, good = {}, true
		local function look(path)
			if require "mapwright.levellint".takes(path) then
				local findings = level(options, path, off)
				table.move(findings, 1, #findings, #all + 1, all)
				return
			end
			local site = sites.open(path)
			local findings, c = lint.site(site, { profile = options.profile, disabled = off })
			table.move(findings, 1, #findings, #all + 1, all)
			for _, u in ipairs(c.unknown_allows) do
				term.warning(("%s:%d:%d"):format(site.label(c.result.file), u.comment.line, u.comment.col),
					nil, ("no rule is called '%s'"):format(u.id))
			end
			if options.fix then good = mend(options, findings, site) and good end
			site.close()
		end
		-- one that cannot be read takes nothing from what is said of the others
		for _, path in ipairs(operands) do
			local ok, problem = xpcall(look, errors.settle, path)
			if not ok then
				term.error("%s", tostring(problem))
				good = false
			end
		end
		local count = lint.count(all)
		local kind = options.format or "text"
		if not options.fix or options.format then
			if options.quiet and kind == "text" then
				local worst = {}
				for _, f in ipairs(all) do
					if f.severity == "error" then worst[#worst + 1] = f end
				end
				io.stdout:write(diag.text(worst))
			else
				io.stdout:write(diag.format(kind, all, rules))
			end
			term.say("%d error%s, %d warning%s, %d note%s", count.error, count.error == 1 and "" or "s",
				count.warning, count.warning == 1 and "" or "s", count.info, count.info == 1 and "" or "s")
		end
		if not good or count.error > 0 then return 1 end
		if options.max_warnings and count.warning > options.max_warnings then
			term.error("lint: %d warnings, more than %d", count.warning, options.max_warnings)
			return 1
		end
		return 0
	end,
}
