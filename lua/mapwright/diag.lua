--- Findings as text for people and editors, as JSON, as SARIF 2.1.0.
--- A finding is {id, severity, message, file, line, col, length?, offset?, related?, rule?}; one
--- about a level also has what it is about: {entity?, brush?, mesh?, face?, at?}.
local base = require "mapwright.core".base
local term = require "mapwright.cli.term"

local M = {}

M.formats = { "text", "json", "sarif" }

local kinds = { error = "error", warning = "warning", info = "note" }

local function place(f)
	if f.offset then return ("%s@0x%x"):format(f.file, f.offset) end
	return ("%s:%d:%d"):format(f.file, f.line, f.col)
end

--- One finding as a line: file:line:col: severity: message [id].
function M.line(f)
	return ("%s: %s %s [%s]"):format(place(f), term.paint and term.paint(kinds[f.severity],
		f.severity .. ":") or f.severity .. ":", f.message, f.id)
end

--- Findings as text, one line each, related places below.
function M.text(findings)
	local out = {}
	for _, f in ipairs(findings) do
		out[#out + 1] = M.line(f)
		for _, r in ipairs(f.related or {}) do
			out[#out + 1] = ("%s: note: %s"):format(place(r), r.message)
		end
	end
	return #out > 0 and table.concat(out, "\n") .. "\n" or ""
end

-- A map for core.json_write in the order of these pairs; those without a value are left out.
local function map(...)
	local out, keys, args = {}, {}, table.pack(...)
	for i = 1, args.n, 2 do
		if args[i + 1] ~= nil then
			keys[#keys + 1] = args[i]
			out[args[i]] = args[i + 1]
		end
	end
	out.__keys = keys
	return out
end

local function each(list, fn)
	if not list then return nil end
	local out = {}
	for i, v in ipairs(list) do out[i] = fn(v, i) end
	return out
end

local function json_finding(f)
	return map("id", f.id, "severity", f.severity, "message", f.message, "file", f.file,
		"line", f.line, "col", f.col, "length", f.length, "offset", f.offset, "entity", f.entity,
		"brush", f.brush, "mesh", f.mesh, "face", f.face, "at", f.at, "related",
		each(f.related, function(r)
			return map("message", r.message, "file", r.file, "line", r.line, "col", r.col)
		end))
end

--- Findings as one JSON document: {findings = [...], errors, warnings, infos}.
function M.json(findings)
	local count = { error = 0, warning = 0, info = 0 }
	for _, f in ipairs(findings) do count[f.severity] = count[f.severity] + 1 end
	return base.json_write(map("findings", each(findings, json_finding), "errors", count.error,
		"warnings", count.warning, "infos", count.info), 2) .. "\n"
end

-- RFC 3986: what is no unreserved character or slash is escaped.
local function uri(path)
	return (path:gsub("[^%w%-%._~/]", function(ch) return ("%%%02X"):format(ch:byte()) end))
end

local function place_of(f)
	local region
	if f.offset then
		region = map("byteOffset", f.offset, "byteLength", 1)
	else
		region = map("startLine", f.line, "startColumn", f.col, "endLine", f.line, "endColumn",
			f.col + (f.length or 1))
	end
	return map("artifactLocation", map("uri", uri(f.file)), "region", region)
end

local levels = { error = "error", warning = "warning", info = "note" }

--- Findings as a SARIF 2.1.0 log with one run.
---@param findings table[]
---@param rules table[] rows {id, severity, title, text}
function M.sarif(findings, rules)
	local index = {}
	for i, r in ipairs(rules or {}) do index[r.id] = i - 1 end
	local driver = map("name", "mapwright", "version", require "mapwright.version".version, "rules",
		each(rules, function(r)
			return map("id", r.id, "shortDescription", map("text", r.title), "fullDescription",
				map("text", r.text), "defaultConfiguration", map("level", levels[r.severity]))
		end))
	local results = each(findings, function(f)
		return map("ruleId", f.id, "ruleIndex", index[f.id], "level", levels[f.severity], "message",
			map("text", f.message), "locations", { map("physicalLocation", place_of(f)) },
			"relatedLocations", each(f.related, function(r, n)
				return map("id", n, "message", map("text", r.message), "physicalLocation", place_of(r))
			end))
	end)
	return base.json_write(map("$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version",
		"2.1.0", "runs", { map("tool", map("driver", driver), "columnKind", "unicodeCodePoints",
			"results", results) }), 2) .. "\n"
end

--- Findings in one of M.formats.
function M.format(kind, findings, rules)
	return M[kind](findings, rules)
end

return M
