--- mapinfo as the engine has it: both runs of the file, the overrides, the map's options.
local core = require "mapwright.core".mapinfo
local sources = require "mapwright.mapinfo.source"
local smd = require "mapwright.mapinfo.smd"

local M = {}

local OVERRIDES = "^mapconfig/mapinfo/[^/]*%.lua$"

--- Names of the override files, in the order in which the usual tail takes them.
function M.overrides(site)
	local out = {}
	for _, name in ipairs(site.names) do
		if name:match(OVERRIDES) then out[#out + 1] = name end
	end
	return out
end

-- Map.fileName and the like, for the terrain file that the map would get.
local function map_table(site)
	local smf = site.smfs[1]
	local full = smf and site.real[smf] or "maps/map.smf"
	return { fileName = full:match "[^/]*$", fullName = full,
		configFile = (full:gsub("%.[^.]*$", ".smd")) }
end

local function run(text, name, names, site, options, map)
	local info, events, what
	info, events, what = core.run(text, name, names, names and site.read, options, map)
	if not info then return { failure = events, events = what } end
	return { info = info, events = events, returned = what == true and "table" or what }
end

-- names without the overrides behind the first n
local function visible(site, n)
	if not n then return site.names end
	local out, seen = {}, 0
	for _, name in ipairs(site.names) do
		if name:match(OVERRIDES) then
			seen = seen + 1
			if seen <= n then out[#out + 1] = name end
		else
			out[#out + 1] = name
		end
	end
	return out
end

--- One run of the main file while the game loads.
---@param site table
---@param options table<string, string>
---@param overrides? integer how many override files there are
---@return table result {info, events, returned} or {failure, events}
function M.load(site, options, overrides)
	local name = site.main or site.smd
	local text = name and site.read(name)
	if not text then return { info = {}, events = {}, returned = "nil", absent = true } end
	if name == site.smd and smd.is_tdf(text) then
		local info, entries = smd.read(text)
		if not info then
			entries.file = site.real[name]
			return { failure = entries, events = {} }
		end
		return { info = info, events = {}, returned = "table", entries = entries, tdf = true }
	end
	return run(text, site.real[name], visible(site, overrides), site, options, map_table(site))
end

--- The run of the archive scanner: the text alone, nothing mounted, no Map, no options.
function M.scan(site)
	local text = site.main and site.read(site.main)
	if not text then return { info = {}, events = {}, returned = "nil", absent = true } end
	return run(text, site.real[site.main], nil, site)
end

local function as_text(v)
	if type(v) == "number" then return ("%f"):format(core.float(v)) end
	return type(v) == "string" and v or nil
end

--- The name under which the scanner lists the map, or nil when it lists none; numbers become text
--- with six digits (ArchiveScanner.cpp:126-128, 186-198).
function M.listed_name(site, scanned)
	local info = scanned.info or {}
	local name, version = as_text(info.name), as_text(info.version)
	if not name and (scanned.failure or scanned.absent) then
		local smf = site.smfs[1]
		return smf and site.real[smf]:match "([^/]*)%.[^.]*$" or nil
	end
	if not name or name == "" then return nil end
	if version and version ~= "" and not name:find(version, 1, true) then
		return name .. " " .. version
	end
	return name
end

--- Everything about a map's info: {info, failure, events, scan, source, sources, name, ...}.
---@param site table from mapwright.mapinfo.site
---@param options? table<string, string> values of map options
function M.evaluate(site, options)
	local out = { site = site, options = options or {} }
	local name = site.main or site.smd
	out.file = name and site.real[name]
	out.text = name and site.read(name)
	out.scan = M.scan(site)
	if out.scan.failure and (out.scan.failure.kind == "steps"
		or out.scan.failure.kind == "memory") then
		out.loaded = out.scan -- it would only take as long again
	else
		out.loaded = M.load(site, out.options)
	end
	out.info, out.failure, out.events = out.loaded.info, out.loaded.failure, out.loaded.events
	out.name = M.listed_name(site, out.scan)
	out.sources = {}
	if out.loaded.tdf then
		out.source = { file = out.file, text = out.text, entries = out.loaded.entries, tdf = true }
	elseif out.text then
		out.source, out.fault = sources.parse(out.text, out.file)
	end
	return out
end

--- Every file that a run included, parsed: name in lower case -> source.
function M.included(result)
	for _, event in ipairs(result.events or {}) do
		local low = event.kind == "included" and event.text:gsub("\\", "/"):lower()
		if low and not result.sources[low] and result.site.real[low] then
			result.sources[low] = sources.parse(result.site.read(low), result.site.real[low])
		end
	end
	return result.sources
end

local function same(a, b)
	if type(a) ~= type(b) then return false end
	if type(a) ~= "table" then return a == b or (a ~= a and b ~= b) end
	for k, v in next, a do
		if not same(v, b[k]) then return false end
	end
	for k in next, b do
		if a[k] == nil then return false end
	end
	return true
end

--- Sorted keys: numbers first.
function M.keys(t)
	local keys = {}
	for k in next, t do keys[#keys + 1] = k end
	table.sort(keys, function(a, b)
		local na, nb = math.type(a), math.type(b)
		if na and nb then return a < b end
		if na or nb then return na ~= nil end
		return a < b
	end)
	return keys
end

--- Call fn(path, a, b) for each value that differs between two tables.
function M.differences(a, b, fn, path)
	path = path or ""
	local keys, seen = M.keys(a), {}
	for _, k in ipairs(keys) do seen[k] = true end
	for _, k in ipairs(M.keys(b)) do
		if not seen[k] then keys[#keys + 1] = k end
	end
	for _, k in ipairs(keys) do
		local inner, x, y = sources.join(path, k), a[k], b[k]
		if type(x) == "table" and type(y) == "table" then
			M.differences(x, y, fn, inner)
		elseif not same(x, y) then
			fn(inner, x, y)
		end
	end
end

--- Which override file gave a value: path -> name of the file. Runs the file once for each.
function M.origins(result)
	local site, out = result.site, {}
	local names = M.overrides(site)
	if #names == 0 or not result.info or not site.main then return out end
	local before = M.load(site, result.options, 0).info
	for i, name in ipairs(names) do
		local after = M.load(site, result.options, i).info
		if before and after then
			M.differences(before, after, function(path, _, new)
				local function mark(p, v)
					out[p] = site.real[name]
					if type(v) == "table" then
						for k, inner in next, v do mark(sources.join(p, k), inner) end
					end
				end
				mark(path, new)
			end)
		end
		before = after
	end
	return out
end

--- The options of mapoptions.lua: rows {key, name, type, def, items, min, max, step}, or nil and
--- the failure.
function M.map_options(site)
	local low = site.real["mapoptions.lua"] and "mapoptions.lua"
	if not low then return {} end
	local result = run(site.read(low), site.real[low], site.names, site, {}, map_table(site))
	if result.failure then return nil, result.failure end
	local out = {}
	for _, k in ipairs(M.keys(result.info)) do
		local o = result.info[k]
		if type(o) == "table" and type(o.key) == "string" and o.type ~= "section" then
			out[#out + 1] = o
		end
	end
	return out
end

local function option_text(v)
	if type(v) == "boolean" then return v and "1" or "0" end
	if type(v) == "number" then return core.number_text(v) end
	return type(v) == "string" and v or nil
end

--- Values worth trying of one option, as the texts that the engine hands out.
function M.option_values(option)
	local out, seen = {}, {}
	local function add(v)
		local text = option_text(v)
		if text and not seen[text] then
			seen[text] = true
			out[#out + 1] = text
		end
	end
	if option.type == "bool" then
		add "0"
		add "1"
	elseif option.type == "list" then
		for _, k in ipairs(M.keys(type(option.items) == "table" and option.items or {})) do
			local item = option.items[k]
			add(type(item) == "table" and item.key or item)
		end
	elseif option.type == "number" then
		add(option.min)
		add(option.def)
		add(option.max)
	else
		add(option.def)
	end
	return out
end

return M
