--- The run a script belongs to: its folder, what it read, what it declared. Scripts read files only
--- through here, so that inputs are known; paths are relative to the script and stay inside its
--- folder.
local core = require "mapwright.core"
local errors = require "mapwright.errors"

local M = {
	root = ".",      -- folder of the build script
	out_dir = nil,   -- -o, or nil: the script's folder
	inputs = {},     -- files read so far, in order
	targets = {},    -- declared targets, in order
	defines = {},    -- -D name=value
	defaults = {},   -- mw.define's rows by name
	seen = {},
}

--- Begin a run; forgets the one before.
---@param options {root: string, out_dir?: string, defines?: table<string, string>}
function M.begin(options)
	M.root, M.out_dir = options.root, options.out_dir
	M.defines = options.defines or {}
	M.inputs, M.targets, M.defaults, M.seen = {}, {}, {}, {}
end

-- A path in a message.
local function shown(path) return require "mapwright.opts".show(path) end

--- Split a path into parts; nil and why when it leaves the project.
local function inside(path)
	if path == "" then return nil, "is empty" end
	if path:find "%c" then return nil, "holds a control character" end
	if path:match "^[/\\]" or path:match "^%a:" then
		return nil, "is absolute; paths are relative to the script's folder"
	end
	local parts = {}
	for part in path:gmatch "[^/\\]+" do
		if part == ".." then
			if #parts == 0 then return nil, "leaves the script's folder" end
			parts[#parts] = nil
		elseif part ~= "." then
			parts[#parts + 1] = part
		end
	end
	return table.concat(parts, "/")
end

--- A project path without '.', '..' and doubled slashes; "" for the project's folder.
function M.clean(path)
	local clean, why = inside(path)
	if not clean then errors.fail("path %s %s", shown(path), why) end
	return clean
end

--- The path of a project file as the system knows it. Raises for a path outside the project.
---@param path string relative to the script
function M.resolve(path)
	local clean = M.clean(path)
	if clean == "" then return M.root end
	return M.root == "." and clean or M.root .. "/" .. clean
end

--- resolve(path), noted as an input.
function M.input(path)
	local full = M.resolve(path)
	if not M.seen[full] then
		M.seen[full] = true
		M.inputs[#M.inputs + 1] = full
	end
	return full
end

--- Where an output goes: absolute paths as given, others below -o or the script's folder.
function M.output(path)
	if path:match "^/" and not path:find "%c" then return path end
	local clean, why = inside(path)
	if not clean then errors.fail("output %s %s", shown(path), why) end
	local dir = M.out_dir or M.root
	return dir == "." and clean or dir .. "/" .. clean
end

-- Raise unless a function was given a path.
local function text(what, path)
	if type(path) ~= "string" then
		errors.fail("%s: expected a path, got %s", what, shown(path))
	end
end

--- The bytes of a project file.
---@param path string
---@return string
function M.read(path)
	text("read", path)
	return core.fs.read(M.input(path))
end

--- The bytes, or nil and an error object.
M.try_read = errors.try(M.read)

--- A value given as -D name=value, or its default; numbers and booleans are converted to the
--- default's type.
---@param name string
---@param default string|number|boolean
function M.define(name, default)
	local opts = require "mapwright.opts"
	opts.value({ name = "name", type = "string" }, name, "define")
	if default ~= nil then
		opts.value({ name = "default", type = { "string", "number", "boolean" } }, default, "define")
	end
	M.defaults[#M.defaults + 1] = { name = name, default = default }
	M.defaults[name] = true
	local given = M.defines[name]
	if given == nil then return default end
	if type(default) == "number" then
		local value = tonumber(given)
		if not value then errors.fail("-D %s=%s: expected a number", name, given) end
		return value
	elseif type(default) == "boolean" then
		if given == "true" or given == "1" then return true end
		if given == "false" or given == "0" then return false end
		errors.fail("-D %s=%s: expected true or false", name, given)
	end
	return given
end

--- Folder access inside the project; every result is joined, sorted and opens as it is.
M.fs = {}

--- Whether a project file or folder exists.
function M.fs.exists(path)
	text("fs.exists", path)
	return core.fs.kind(M.resolve(path)) ~= nil
end

local function walk(dir, out)
	local full = M.resolve(dir == "" and "." or dir)
	for _, name in ipairs(core.fs.list(full)) do
		local path = dir == "" and name or dir .. "/" .. name
		if core.fs.kind(M.resolve(path)) == "folder" then
			walk(path, out)
		else
			out[#out + 1] = path
		end
	end
	return out
end

--- All files below a folder, joined with it, sorted bytewise.
---@param dir? string the whole project when absent
function M.fs.list(dir)
	if dir ~= nil then text("fs.list", dir) end
	local clean, why = inside(dir or ".")
	if not clean then errors.fail("fs.list: path %s %s", shown(dir), why) end
	if core.fs.kind(M.resolve(clean == "" and "." or clean)) ~= "folder" then
		errors.fail("fs.list: no folder '%s'", dir)
	end
	local out = walk(clean, {})
	table.sort(out)
	return out
end

-- "maps/*.png" as a Lua pattern: * within a folder, ** across folders, ? one character.
local function glob_pattern(glob)
	local out = glob:gsub("[%^%$%(%)%%%.%[%]%+%-]", "%%%0")
	out = out:gsub("%*%*/?", "\0"):gsub("%*", "[^/]*"):gsub("%?", "[^/]"):gsub("%z", ".*")
	return "^" .. out .. "$"
end

--- Project files matching a glob (`*`, `**`, `?`), sorted bytewise.
function M.fs.glob(glob)
	text("fs.glob", glob)
	local clean, why = inside(glob)
	if not clean then errors.fail("fs.glob: path %s %s", shown(glob), why) end
	local fixed = clean:match "^([^%*%?]*)/" or ""
	if core.fs.kind(M.resolve(fixed == "" and "." or fixed)) ~= "folder" then return {} end
	local pattern, out = glob_pattern(clean), {}
	for _, path in ipairs(walk(fixed, {})) do
		if path:match(pattern) then out[#out + 1] = path end
	end
	table.sort(out)
	return out
end

return M
