--- Map archives: .sdd folders, .sdz (zip) and .sd7 (7z) files.
local core = require "mapwright.core".archive
local fs = require "mapwright.core".fs
local errors = require "mapwright.errors"

local M = {}

--- "sdd", "sdz" or "sd7" by the extension, or nil.
---@type fun(path: string): string?
M.kind = core.kind

--- An archive for reading: `:entries()`, `:find(name)`, `:read(name)`, `:kind()`, `:solid()`,
--- `:extract(dir)`, `:close()`. Names are looked up as the engine does, without case.
M.open = core.open

--- How hard to pack for a build's speed: nil, "fast" or "release".
function M.level(speed)
	return speed or "normal"
end

--- Let archives unpack to more than the default limit, per entry and in total.
---@param bytes integer
function M.limit_unpacked(bytes)
	return core.limit_unpacked(bytes)
end

--- Write an archive; its kind is that of the name.
---@param path string
---@param items {name: string, bytes?: string, path?: string}[] bytes, or a file to read
---@param level? "fast"|"normal"|"release"
function M.write(path, items, level)
	local kind = core.kind(path)
	if not kind then
		errors.raise("invalid", "%s: the name must end in .sdd, .sdz or .sd7", path)
	end
	core.write(path, kind, level or "normal", items)
end

--- What `info` says of an archive: kind, solid, entries {name, size, packed, crc, problem, unsafe},
--- their number and sum, and `problems`, one line for each entry the engine cannot use.
function M.describe(path)
	local archive <close> = core.open(path)
	local out = { kind = archive:kind(), solid = archive:solid(), entries = archive:entries(),
		problems = {}, num_entries = 0, unpacked_bytes = 0, packed_bytes = 0 }
	out.num_entries = #out.entries
	for _, e in ipairs(out.entries) do
		out.unpacked_bytes = out.unpacked_bytes + e.size
		out.packed_bytes = out.packed_bytes + e.packed
		if e.problem then table.insert(out.problems, ("%s: %s"):format(e.name, e.problem)) end
		if e.unsafe then
			table.insert(out.problems, ("'%s': the name %s"):format(e.name, e.unsafe))
		end
		if e.backslash then
			table.insert(out.problems,
				("%s: stored with backslashes, which the engine does not take for folders")
				:format(e.name))
		end
		if e.shadowed then
			table.insert(out.problems,
				("%s: an earlier entry has this name, the engine never sees this one")
				:format(e.name))
		end
	end
	return out
end

-- An archive as a new folder: in pieces, whatever the sizes.
local function unpack_to(path, dir)
	local archive <close> = core.open(path)
	archive:extract(dir)
	return #core.dir_items(dir, true)
end

-- Items of an archive in another container; memory holds all of them once.
local function items_of_archive(path)
	local archive <close> = core.open(path)
	local unsafe, items, left_out = {}, {}, 0
	local rows = archive:entries()
	for _, e in ipairs(rows) do
		if e.unsafe then unsafe[#unsafe + 1] = "'" .. e.name .. "'" end
	end
	if #unsafe > 0 then
		errors.raise("invalid", "%s: refused, unsafe names: %s", path, table.concat(unsafe, ", "))
	end
	for _, e in ipairs(rows) do
		if e.shadowed then
			left_out = left_out + 1
		else
			items[#items + 1] = { name = e.name, bytes = archive:read(e.name) }
		end
	end
	return items, left_out
end

local function is_map(items)
	for _, item in ipairs(items) do
		local name = item.name:lower()
		if name == "mapinfo.lua" or name:match "^maps/[^/]+%.smd$" then return true end
	end
	return false
end

--- Pack a folder, or an archive of another kind, as `out`.
---@param input string
---@param out string ends in .sdd, .sdz or .sd7
---@param options {level?: string, hidden?: boolean}
---@return {files: integer, bytes: integer, notes: {[1]: string, [2]: string}[]} report
function M.pack(input, out, options)
	local notes, items = {}
	local function note(id, fmt, ...) notes[#notes + 1] = { id, fmt:format(...) } end
	if fs.kind(input) == "folder" then
		local found, hidden, special = core.dir_items(input, options.hidden or false)
		items = {}
		for _, item in ipairs(found) do
			if item.path ~= out then items[#items + 1] = item end
		end
		if hidden > 0 then
			note("pack-hidden", "%s: left out %d name%s beginning with a dot (--hidden takes them)",
				input, hidden, hidden == 1 and "" or "s")
		end
		if special > 0 then
			note("pack-special",
				"%s: left out %d link%s to somewhere else or special file%s", input, special,
				special == 1 and "" or "s", special == 1 and "" or "s")
		end
	elseif core.kind(out) == "sdd" and not fs.kind(out) then
		return { files = unpack_to(input, out), bytes = 0, notes = notes }
	else
		local left_out
		items, left_out = items_of_archive(input)
		if left_out > 0 then
			note("archive-duplicate", "%s: left out %d entr%s that an earlier name hides", input,
				left_out, left_out == 1 and "y" or "ies")
		end
	end
	if #items == 0 then errors.raise("invalid", "%s: nothing to pack", input) end
	if not is_map(items) then
		note("pack-no-mapinfo", "%s: no mapinfo.lua, so the engine takes it for no map", input)
	end
	M.write(out, items, options.level)
	local bytes = 0
	if core.kind(out) ~= "sdd" then
		bytes = require "lfs".attributes(out, "size") or 0
	end
	return { files = #items, bytes = bytes, notes = notes }
end

return M
