--- A map as a set of named files, whatever holds them: a lone mapinfo.lua with what lies beside it,
--- a folder, an archive, an old .smd, a .smf. Names are looked up as the engine does, without case.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local lfs = require "lfs"

local M = {}

-- What of the folder around a lone file belongs to its map.
local FOLDERS = { "maps", "mapconfig", "features", "luagaia", "luarules", "bitmaps", "unittextures",
	"objects3d", "mapdata", "gamedata", "sounds", "scenario" }
local MOST_FILES = 20000 -- of a folder

local is_ours = {}
for _, name in ipairs(FOLDERS) do is_ours[name] = true end

local function join(dir, name)
	if dir == "" then return name end
	return dir:sub(-1) == "/" and dir .. name or dir .. "/" .. name
end

local function parent_of(path)
	local dir = path:match "^(.*)/[^/]*$"
	if dir == "" then return "/" end
	return dir or ""
end

local function listed(dir)
	local ok, names = pcall(core.fs.list, dir == "" and "." or dir)
	return ok and names or {}
end

-- What a path is; a link is nothing, as it may lead anywhere.
local function kind_of(path)
	if lfs.symlinkattributes(path, "mode") == "link" then return nil end
	return core.fs.kind(path)
end

local function add_folder(dir, prefix, out, depth)
	for _, name in ipairs(listed(dir)) do
		if #out >= MOST_FILES then return end
		local path = join(dir, name)
		local kind = kind_of(path)
		if kind == "file" then
			out[#out + 1] = prefix .. name
		elseif kind == "folder" and depth < 8 and name:sub(1, 1) ~= "." then
			add_folder(path, prefix .. name .. "/", out, depth + 1)
		end
	end
end

-- The names around a lone file: its folder's own files, and the folders a map has.
local function names_beside(dir)
	local out = {}
	for _, name in ipairs(listed(dir)) do
		local path = join(dir, name)
		local kind = kind_of(path)
		if kind == "file" then
			out[#out + 1] = name
		elseif kind == "folder" and is_ours[name:lower()] then
			add_folder(path, name .. "/", out, 0)
		end
	end
	return out
end

-- Fill names and real from a list of paths as they are spelt; the first of equal ones counts.
local function set_names(site, list)
	site.real, site.names = {}, {}
	for _, name in ipairs(list) do
		local low = name:gsub("\\", "/"):lower()
		if not site.real[low] then
			site.real[low] = name
			site.names[#site.names + 1] = low
		end
	end
	table.sort(site.names)
end

local function find_smfs(site)
	site.smfs = {}
	for _, name in ipairs(site.names) do
		if name:match "%.smf$" then site.smfs[#site.smfs + 1] = name end
	end
end

local function folder_site(path, dir)
	local site = { path = path, root = dir, kind = "folder" }
	set_names(site, names_beside(dir))
	function site.read(low)
		local real = site.real[low]
		return real and core.fs.read(join(dir, real)) or nil
	end
	function site.size(low)
		local real = site.real[low]
		return real and #core.fs.read(join(dir, real)) or nil
	end
	function site.label(name) return join(dir, site.real[name:lower()] or name) end
	return site
end

local function archive_site(path)
	local archive = core.archive.open(path)
	local kind = archive:kind()
	local site = { path = path, kind = kind == "sdd" and "folder" or kind, archive = archive,
		entries = archive:entries(), sizes = {}, problems = {} }
	local list = {}
	for _, e in ipairs(site.entries) do
		if not e.shadowed and not e.backslash then
			list[#list + 1] = e.name
			site.sizes[e.name:lower()] = e.size
			site.problems[e.name:lower()] = e.problem
		end
	end
	set_names(site, list)
	function site.read(low)
		local real = site.real[low]
		return real and archive:read(real) or nil
	end
	function site.size(low) return site.sizes[low] end
	function site.head(low, n)
		local real = site.real[low]
		return real and archive:head(real, n) or nil
	end
	local separator = site.kind == "folder" and "/" or ":"
	local base = path:gsub("/+$", "")
	function site.label(name)
		return base .. separator .. (site.real[name:lower()] or name)
	end
	function site.close() archive:close() end
	return site
end

-- For a file inside maps/: the folder above it.
local function root_of(path)
	local dir = parent_of(path)
	local last = dir:match "[^/]*$"
	if last:lower() == "maps" then return parent_of(dir), last .. "/" end
	return dir, ""
end

local function lone_site(path)
	local dir = parent_of(path)
	local site = folder_site(path, dir)
	site.lone = true
	site.main = path:match "[^/]*$":lower()
	site.real[site.main] = path:match "[^/]*$"
	return site
end

local function smd_site(path)
	local dir, inside = root_of(path)
	local site = folder_site(path, dir)
	site.lone = true
	site.smd = (inside .. path:match "[^/]*$"):lower()
	return site
end

local function smf_site(path)
	local dir, inside = root_of(path)
	local site = folder_site(path, dir)
	site.only_smf = (inside .. path:match "[^/]*$"):lower()
	return site
end

-- The old-style text of a map without a mapinfo.lua: maps/<name of the .smf>.smd.
local function smd_of(site)
	local first = site.smfs[1]
	local low = first and first:gsub("%.smf$", ".smd")
	return low and site.real[low] and low or nil
end

--- Open a path: mapinfo.lua, a .sdd folder (or any folder), .sdz, .sd7, .smd, .smf.
--- The result has names (sorted, in lower case), real (as they are spelt), read(name), size(name),
--- label(name) for messages, main (name of the mapinfo.lua) or smd, smfs, and whole: whether there
--- is a terrain file, so that missing files can be told.
---@param path string
function M.open(path)
	local kind = core.fs.kind(path)
	if not kind then errors.raise("io", "%s: no such file or folder", path) end
	local extension = (path:match "%.([%w]+)$" or ""):lower()
	local site
	if kind == "folder" or core.archive.kind(path) then
		site = archive_site(path)
	elseif extension == "smd" then
		site = smd_site(path)
	elseif extension == "smf" then
		site = smf_site(path)
	else
		site = lone_site(path)
	end
	find_smfs(site)
	site.whole = #site.smfs > 0 or (site.archive ~= nil and (site.kind ~= "folder"
		or path:lower():match "%.sdd/*$" ~= nil))
	if site.only_smf then site.smfs = { site.only_smf } end
	if not site.main and site.real["mapinfo.lua"] then site.main = "mapinfo.lua" end
	if not site.main and not site.smd then site.smd = smd_of(site) end
	site.close = site.close or function() end
	site.head = site.head or function(low, n)
		local bytes = site.read(low)
		return bytes and bytes:sub(1, n)
	end
	return site
end

--- A site of texts in memory, for tests and for what a build is about to write. A value {path = }
--- is a file outside, of which only Lua files are looked into.
---@param files table<string, string|table>
---@param label? string
function M.of(files, label)
	local site = { path = label or "map", kind = "memory", whole = false }
	local list = {}
	for name in next, files do list[#list + 1] = name end
	table.sort(list)
	set_names(site, list)
	local function text(low)
		local v = site.real[low] and files[site.real[low]]
		if type(v) == "table" and low:match "%.lua$" then
			v = core.fs.read(v.path)
			files[site.real[low]] = v
		end
		return type(v) == "string" and v or nil
	end
	site.read = text
	function site.head(low, n) return text(low) and text(low):sub(1, n) end
	function site.size(low) return text(low) and #text(low) end
	function site.label(name) return (label and label .. "/" or "") .. (site.real[name] or name) end
	function site.close() end
	find_smfs(site)
	site.whole = #site.smfs > 0
	site.main = site.real["mapinfo.lua"] and "mapinfo.lua"
	if not site.main then site.smd = smd_of(site) end
	return site
end

return M
