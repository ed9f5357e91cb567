--- Map archives (.sdd, .sdz, .sd7): what `info` and `dump` show of one.
local archives = require "mapwright.archive"
local core = require "mapwright.core"

local M = { name = "archive", title = "map archive", extensions = { ".sdd", ".sdz", ".sd7" },
	folder = true }

local function ordered(keys) return { __keys = keys } end

local function put(info, key, value)
	if value == nil then return end
	info.__keys[#info.__keys + 1] = key
	info[key] = value
end

-- Names of a kind in the archive, as stored.
local function names_ending(archive, pattern)
	local out = {}
	for _, e in ipairs(archive:entries()) do
		if e.name:lower():match(pattern) then out[#out + 1] = e.name end
	end
	return out
end

-- The engine looks for a tile file beside the .smf, then by its name as it is
-- (rts/Map/SMF/SMFGroundTextures.cpp:130-158).
local function check_tile_files(archive, smf, smf_name, findings)
	local beside = smf_name:match "^(.*/)[^/]*$" or ""
	for _, file in ipairs(smf:tile_files()) do
		if not (archive:find(beside .. file.name) or archive:find(file.name)) then
			local there = names_ending(archive, "%.smt$")
			findings[#findings + 1] = { level = "error", rule = "smt-missing", message =
				("%s asks for %s, which is not in the map%s: the engine paints its ground red"):format(
					smf_name, file.name, there[1] and " (" .. table.concat(there, ", ") .. " is)" or "") }
		end
	end
end

local function evaluated(path)
	local ok, info = pcall(require "mapwright.map".evaluated, path)
	return ok and info or nil
end

-- The .smf's own facts, without its kind.
local function add_smf(out, archive, path, findings)
	local map = require "mapwright.map"
	local info = out.mapinfo
	local ok, name = pcall(map.smf_name, archive, info, path)
	if not ok then
		findings[#findings + 1] = { level = "error", rule = "smf-ambiguous",
			message = type(name) == "table" and name.message or tostring(name) }
		return
	end
	put(out, "smf", name)
	local bytes = archive:read(name)
	local facts, found = require "mapwright.format.smf".info_of(bytes, name)
	for _, f in ipairs(found) do
		findings[#findings + 1] = { level = f.level, rule = f.rule,
			message = name .. ": " .. f.message, offset = f.offset }
	end
	for _, key in ipairs(facts.__keys) do
		if key ~= "kind" and key ~= "bytes" and facts[key] ~= nil then put(out, key, facts[key]) end
	end
	check_tile_files(archive, core.smf.read(bytes, name), name, findings)
end

--- Entries, mapinfo and the map's own facts.
---@param path string
---@return table info, table[] findings
function M.info(path)
	local about, findings = archives.describe(path), {}
	local out = ordered {}
	put(out, "kind", about.kind)
	put(out, "solid", about.solid)
	put(out, "packed_bytes", about.packed_bytes)
	put(out, "unpacked_bytes", about.unpacked_bytes)
	local entries = {}
	for i, e in ipairs(about.entries) do
		entries[i] = ordered { "name", "size" }
		entries[i].name, entries[i].size = e.name, e.size
	end
	put(out, "entries", entries)
	for _, text in ipairs(about.problems) do
		findings[#findings + 1] = { level = "error", rule = "archive-entry", message = text }
	end
	local archive <close> = core.archive.open(path)
	if archive:find "mapinfo.lua" then
		put(out, "mapinfo", evaluated(path))
		archive:read "mapinfo.lua" -- raises, by name, where it cannot be unpacked
	end
	add_smf(out, archive, path, findings)
	return out, findings
end

--- Names, sizes and content hashes, then the .smf.
function M.dump(path, write)
	local archive <close> = core.archive.open(path)
	local quote = require "mapwright.format.text".quote
	write "archive = {\n"
	for _, e in ipairs(archive:entries()) do
		if not e.problem and not e.shadowed then
			write(("\t{ name = %s, size = %d, hash = %q },\n"):format(quote(e.name), e.size,
				core.base.hash(archive:read(e.name))))
		end
	end
	write "}\n"
	local ok, name = pcall(require "mapwright.map".smf_name, archive, evaluated(path), path)
	return ok and require "mapwright.format.smf".dump_of(archive:read(name), name, write) or {}
end

return M
