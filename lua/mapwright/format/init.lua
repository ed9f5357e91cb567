--- What `info` and `dump` know of each kind of file. A kind is a row
---   { name, title, extensions = { ".smf" }, folder = true where one is a folder,
---     info = function(path) -> table with `__keys`, findings,
---     dump = function(path, write) }
--- and a finding is { level = "error"|"warning"|"info", rule, message, offset? }.
local core = require "mapwright.core"
local errors = require "mapwright.errors"

local M = {}

-- Kinds that are not single files of format/list.c, and the module that has their row.
local others = { [".sdd"] = "mapwright.format.archive", [".sdz"] = "mapwright.format.archive",
	[".sd7"] = "mapwright.format.archive" }

--- Make a kind known by its extensions; the module returns its row when first used.
---@param module string
---@param extensions string[] lower case, with the dot
function M.register(module, extensions)
	for _, extension in ipairs(extensions) do others[extension] = module end
end

local function extension_of(path)
	local extension = path:gsub("[/\\]+$", ""):match "(%.[^./\\]*)$"
	return extension and extension:lower() or ""
end

--- All file kinds of the core: {name, title, extensions, writable}.
M.list = core.format.list

-- A kind without a module of its own is known but has nothing to show.
local function load(module)
	local ok, row = pcall(require, module)
	if ok then return row end
	if type(row) == "string" and row:find("module '" .. module .. "' not found", 1, true) then
		return nil
	end
	error(row, 0)
end

--- The kind of a file or folder: by what is in it, then by its extension. Raises when it is none.
---@param path string
function M.of(path)
	local kind = core.fs.kind(path)
	local module = others[extension_of(path)]
	if kind == "file" and not module then
		local name = core.format.of(core.fs.read(path), path)
		module = name and "mapwright.format." .. name
	end
	if not kind then
		errors.raise("io", "%s: no such file or folder", path)
	end
	local row = module and load(module)
	if not row or (kind == "folder") ~= (row.folder or false) and kind ~= "file" then
		errors.raise("unsupported", "%s: not a kind of file that is known here", path)
	end
	return row
end

--- What is known of a file, in the order of `__keys`, and what is wrong with it.
---@param path string
---@return table info, table[] findings
function M.info(path)
	return M.of(path).info(path)
end

--- The whole file as stable text.
---@param path string
---@param write fun(text: string)
---@return table[] findings
function M.dump(path, write)
	local row = M.of(path)
	if not row.dump then errors.raise("unsupported", "%s: a %s has no dump", path, row.title) end
	return row.dump(path, write) or {}
end

return M
