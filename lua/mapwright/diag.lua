--- Findings as text for people and editors, as JSON, as SARIF 2.1.0.
--- A finding is {id, severity, message, file, line, col, length?, offset?, related?, rule?}.
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

local function json_finding(f)
	local out = { id = f.id, severity = f.severity, message = f.message, file = f.file, line = f.line,
		col = f.col, length = f.length, offset = f.offset,
		__keys = { "id", "severity", "message", "file", "line", "col", "length", "offset", "related" } }
	if f.related then
		out.related = {}
		for i, r in ipairs(f.related) do
			out.related[i] = { message = r.message, file = r.file, line = r.line, col = r.col,
				__keys = { "message", "file", "line", "col" } }
		end
	end
	return out
end

--- Findings as one JSON document: {findings = [...], errors, warnings, infos}.
function M.json(findings)
	local doc = { findings = {}, errors = 0, warnings = 0, infos = 0,
		__keys = { "findings", "errors", "warnings", "infos" } }
	for i, f in ipairs(findings) do
		doc.findings[i] = json_finding(f)
		doc[f.severity .. "s"] = doc[f.severity .. "s"] + 1
	end
	return base.json_write(doc, 2) .. "\n"
end

-- RFC 3986: what is no unreserved character or slash is escaped.
local function uri(path)
	return (path:gsub("[^%w%-%._~/]", function(ch) return ("%%%02X"):format(ch:byte()) end))
end

local function location(f)
	local region
	if f.offset then
		region = { byteOffset = f.offset, byteLength = 1, __keys = { "byteOffset", "byteLength" } }
	else
		region = { startLine = f.line, startColumn = f.col, endLine = f.line,
			endColumn = f.col + (f.length or 1),
			__keys = { "startLine", "startColumn", "endLine", "endColumn" } }
	end
	return { physicalLocation = { artifactLocation = { uri = uri(f.file) }, region = region,
		__keys = { "artifactLocation", "region" } } }
end

local levels = { error = "error", warning = "warning", info = "note" }

--- Findings as a SARIF 2.1.0 log with one run.
---@param findings table[]
---@param rules table[] rows {id, severity, title, text}
function M.sarif(findings, rules)
	local index, rows, results = {}, {}, {}
	for i, r in ipairs(rules or {}) do
		index[r.id] = i - 1
		rows[i] = { id = r.id, shortDescription = { text = r.title },
			fullDescription = { text = r.text },
			defaultConfiguration = { level = levels[r.severity] },
			__keys = { "id", "shortDescription", "fullDescription", "defaultConfiguration" } }
	end
	for i, f in ipairs(findings) do
		local result = { ruleId = f.id, ruleIndex = index[f.id], level = levels[f.severity],
			message = { text = f.message }, locations = { location(f) },
			__keys = { "ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations" } }
		for n, r in ipairs(f.related or {}) do
			result.relatedLocations = result.relatedLocations or {}
			local at = location(r)
			at.id, at.message = n, { text = r.message }
			at.__keys = { "id", "message", "physicalLocation" }
			result.relatedLocations[n] = at
		end
		results[i] = result
	end
	local doc = {
		["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json", version = "2.1.0",
		runs = { { tool = { driver = { name = "mapwright",
			version = require "mapwright.version".version, informationUri =
			"https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html", rules = rows,
			__keys = { "name", "version", "informationUri", "rules" } } }, results = results,
			columnKind = "unicodeCodePoints", __keys = { "tool", "columnKind", "results" } } },
		__keys = { "$schema", "version", "runs" },
	}
	return base.json_write(doc, 2) .. "\n"
end

--- Findings in one of M.formats.
function M.format(kind, findings, rules)
	return M[kind](findings, rules)
end

return M
