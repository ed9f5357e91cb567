--- Lint: run all checks over a map and say what each found, where.
local checks = { "lua", "keys", "values", "files", "map", "bar" }
local convert = require "mapwright.mapinfo.convert"
local eval = require "mapwright.mapinfo.eval"
local rules = require "mapwright.mapinfo.rules"
local sites = require "mapwright.mapinfo.site"
local sources = require "mapwright.mapinfo.source"

local M = {}

-- ---- places ----------------------------------------------------------------------------

-- Line and column of a byte of a text.
local function position(text, at)
	local line, from = 1, 1
	for stop in text:gmatch "()\n" do
		if stop >= at then break end
		line, from = line + 1, stop + 1
	end
	return line, at - from + 1
end

-- The first word of a line, or a token in it.
local function on_line(text, line, token)
	local from = 1
	for _ = 2, line do
		local stop = text:find("\n", from, true)
		if not stop then break end
		from = stop + 1
	end
	local stop = text:find("\n", from, true) or #text + 1
	local whole = text:sub(from, stop - 1):gsub("\r$", "")
	local at, to
	if token then at, to = whole:find(token, 1, true) end
	if not at then at, to = whole:find "%S+.*%S" end
	if not at then at, to = whole:find "%S" end
	return at or 1, (to or 0) - (at or 1) + 1
end

-- {file, line, col, length} for whatever a check gave as the place.
local function place(c, where, want_value)
	local label = c.site.label
	local main = c.result.file
	if type(where) == "string" then
		local entry = c.nearest(where)
		if not entry then
			where = nil
		else
			where = entry
		end
	end
	if where == nil then
		local returned = c.source and c.source.root and c.source.parsed
			and c.source.parsed.tables[c.source.root]
		if returned then
			return { file = label(main), line = returned.line, col = returned.col, length = 1 }
		end
		return { file = main and label(main) or c.site.path, line = 1, col = 1, length = 1 }
	end
	local source = where.source
	local file = where.file and where.file ~= "" and where.file or source and source.file or main
	local text = source and source.text
	if not text and file then
		text = file == main and c.result.text or c.text_of(file)
	end
	local out = { file = file and label(file) or c.site.path, line = where.line, col = where.col,
		offset = where.offset }
	if want_value and where.value and where.value.line and where.value.start then
		out.line, out.col = where.value.line, where.value.col
		out.length = where.value.stop - where.value.start + 1
	elseif where.stop and where.start then
		out.length = where.stop - where.start + 1
	end
	if text and where.start and not where.stop then
		local line, col = position(text, math.min(where.start, #text + 1))
		if line == out.line then out.col, out.length = col, 1 end
	elseif text and out.line and (not out.col or not out.length or where.token) then
		out.col, out.length = on_line(text, out.line, where.token)
	end
	out.line, out.col, out.length = out.line or 1, out.col or 1, math.max(out.length or 1, 1)
	return out
end

-- ---- the context of a run --------------------------------------------------------------

local function context(site, options)
	local c = { site = site, profile = options.profile or "engine", findings = {} }
	c.result = eval.evaluate(site, {})
	c.info, c.source = c.result.info, c.result.source
	if c.result.loaded.returned ~= "table" then c.info = nil end
	if c.source then
		for _, list in next, c.source.entries do
			for _, e in ipairs(list) do e.source = c.source end
		end
	end
	local included, origins
	local function read_overrides()
		included, origins = eval.included(c.result), eval.origins(c.result)
		for _, source in next, included do
			for _, list in next, source.entries do
				for _, e in ipairs(list) do e.source = source end
			end
		end
	end
	-- The entry that gave a path its value: in an override where one did.
	function c.find(path)
		if not included then read_overrides() end
		local file = origins[path]
		local source = file and included[file:lower()]
		return source and sources.find(source, path) or sources.find(c.source, path)
	end
	function c.nearest(path)
		while path and path ~= "" do
			local entry = c.find(path)
			if entry then return entry end
			path = path:match "^(.*)%[[^%[]*%]$" or path:match "^(.*)%.[^.]*$"
		end
	end
	function c.effective()
		c.effective_list = c.effective_list or convert.effective(c.info)
		return c.effective_list
	end
	function c.text_of(file)
		local low = file:gsub("\\", "/"):lower()
		if not low:match "%.lua$" and not low:match "%.smd$" then return nil end
		local ok, text = pcall(site.read, low)
		return ok and text or nil
	end
	local mapfile = c.info and type(c.info.mapfile) == "string"
		and c.info.mapfile:gsub("\\", "/"):lower() or nil
	if site.only_smf then mapfile = site.only_smf end
	c.map, c.map_failure = require "mapwright.mapinfo.checks_map".open(site, mapfile)
	c.voidground = c.info and c.effective()["voidground"].value
	return c
end

-- report(id, where, format, ..., {related, fix, value, severity}?)
local function reporter(c, options)
	return function(id, where, fmt, ...)
		local row = assert(rules.find(id), id)
		local args, more = table.pack(...), {}
		if type(args[args.n]) == "table" then
			more = args[args.n]
			args.n = args.n - 1
		end
		if row.profile and row.profile ~= c.profile then return end
		local finding = place(c, where, more.value)
		finding.id, finding.rule = id, row
		finding.severity = more.severity or row.severity
		finding.message = fmt:format(table.unpack(args, 1, args.n))
		if more.fix and row.fix then
			finding.fix = { file = c.result.file, edits = more.fix }
		end
		for _, r in ipairs(more.related or {}) do
			finding.related = finding.related or {}
			local at = place(c, r[1])
			at.message = r[2]
			table.insert(finding.related, at)
		end
		if options.disabled and options.disabled[id] then return end
		c.findings[#c.findings + 1] = finding
	end
end

-- ---- allowing --------------------------------------------------------------------------

-- "-- mapwright: allow ID, ID" behind code counts for its line, alone on a line for the whole map.
local function allowed(c)
	local everywhere, lines, unknown = {}, {}, {}
	local source = c.source
	for _, comment in ipairs(source and source.parsed and source.parsed.comments or {}) do
		local list = comment.text:match "^%-%-+%s*mapwright:%s*allow%s+(.*)$"
		if list then
			local before = source.text:sub(1, comment.start - 1):match "[^\n]*$"
			for id in list:gmatch "[%w%-%.]+" do
				if not rules.find(id) then
					unknown[#unknown + 1] = { id = id, comment = comment }
				elseif before:match "%S" then
					lines[comment.line] = lines[comment.line] or {}
					lines[comment.line][id] = true
				else
					everywhere[id] = true
				end
			end
		end
	end
	return everywhere, lines, unknown
end

local function compare(a, b)
	if a.file ~= b.file then return a.file < b.file end
	if a.line ~= b.line then return a.line < b.line end
	if a.col ~= b.col then return a.col < b.col end
	if a.id ~= b.id then return a.id < b.id end
	return a.message < b.message
end

--- Lint a site. Returns the findings in order: {id, severity, message, file, line, col, length,
--- offset?, related?, fix?, rule}, and the context.
---@param site table from mapwright.mapinfo.site
---@param options? {profile?: "engine"|"bar", disabled?: table<string, boolean>}
function M.site(site, options)
	options = options or {}
	local c = context(site, options)
	c.report = reporter(c, options)
	for _, name in ipairs(checks) do
		require("mapwright.mapinfo.checks_" .. name).run(c)
	end
	local everywhere, lines, unknown = allowed(c)
	local main = c.result.file and site.label(c.result.file)
	local out, seen = {}, {}
	for _, f in ipairs(c.findings) do
		local on = f.file == main and lines[f.line]
		local key = ("%s:%d:%d:%s:%s"):format(f.file, f.line, f.col, f.id, f.message)
		if not everywhere[f.id] and not (on and on[f.id]) and not seen[key] then
			seen[key] = true
			out[#out + 1] = f
		end
	end
	table.sort(out, compare)
	c.unknown_allows = unknown
	return out, c
end

--- Lint a path: mapinfo.lua, a folder, an archive, a .smd, a .smf.
---@param path string
---@param options? table
function M.path(path, options)
	local site = sites.open(path)
	local findings, c = M.site(site, options)
	site.close()
	return findings, c
end

--- Lint the table that a build is about to write as mapinfo.lua, without its files.
---@param info table
---@return table[] findings with `path` instead of a place
function M.info(info)
	local text = require "mapwright.mapinfo.show".lua(info)
	return (M.site(sites.of({ ["mapinfo.lua"] = "return " .. text .. "\n" }), {
		disabled = { ["mapfile-missing"] = true, ["mapinfo-mixed-case-returned"] = true,
			["modtype-missing"] = true, ["startpos-none"] = true } }))
end

-- What a build says by itself, or makes right by itself.
local of_the_build = {}
for id in ([[height-clipped terraintype-undeclared grass-255 grass-binary feature-outside
	feature-heading tile-unused tile-alpha startpos-none metal-unused minimap-blank
	mapinfo-mixed-case-returned
	terraintype-unused modtype-missing archive-junk]]):gmatch "%S+" do
	of_the_build[id] = true
end

--- Lint what a build is about to write: rows {name, bytes} or {name, path}.
--- Findings that the build gives itself are left out, and so is mere information.
---@param items {name: string, bytes?: string, path?: string}[]
---@return table[] findings
function M.items(items)
	local files, out = {}, {}
	for _, item in ipairs(items) do files[item.name] = item.bytes or item end
	for _, f in ipairs((M.site(sites.of(files), { disabled = of_the_build }))) do
		if f.severity ~= "info" then out[#out + 1] = f end
	end
	return out
end

--- Number of findings of each severity.
function M.count(findings)
	local out = { error = 0, warning = 0, info = 0 }
	for _, f in ipairs(findings) do out[f.severity] = out[f.severity] + 1 end
	return out
end

return M
