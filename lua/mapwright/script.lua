--- Running a build script: its own environment with locked globals, ordered pairs, seeded random,
--- and `require` of the mapper's own files. Nothing in it differs from run to run.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local ordered = require "mapwright.util.ordered"
local project = require "mapwright.project"
local random = require "mapwright.random"
local suggest = require "mapwright.util.suggest"

local M = {}

-- Names of stock Lua that a build script does without, and what to use instead.
local instead = {
	io = "use mw.read, mw.image and the targets",
	os = "a build gives the same result on every day and machine; use mw.define for settings",
	debug = "it is not needed in a build script",
	dofile = "use require",
	loadfile = "use require",
	load = "use functions",
	loadstring = "use functions",
	package = "require looks beside the script",
	collectgarbage = "memory is looked after",
	unpack = "use table.unpack",
	setfenv = "Lua 5.4 has no setfenv",
	getfenv = "Lua 5.4 has no getfenv",
}

-- Text of a value without its address, which differs from run to run.
local function tostring_fixed(v)
	local kind = type(v)
	if kind == "table" or kind == "userdata" then
		local meta = getmetatable(v)
		if type(meta) == "table" and meta.__tostring then return meta.__tostring(v) end
		return type(meta) == "table" and meta.__name or kind
	elseif kind == "function" or kind == "thread" then
		return kind
	end
	return tostring(v)
end

local function seeded_math()
	local copy = {}
	for k, v in next, math do copy[k] = v end
	local stream = random.rng(0, "math.random")
	copy.random = function(a, b)
		if a == nil then return stream() end
		return stream(a, b)
	end
	copy.randomseed = function(seed)
		stream = random.rng(math.tointeger(seed) or 0, "math.random")
	end
	return copy
end

local function print_fixed(...)
	local out = {}
	for i = 1, select("#", ...) do out[i] = tostring_fixed((select(i, ...))) end
	print(table.concat(out, "\t"))
end

-- Library tables are shared between scripts of a run: hand out copies, so that none can spoil them.
local function copy_of(lib)
	local copy = {}
	for k, v in next, lib do copy[k] = v end
	return copy
end

-- The metatables of strings and of the library's objects are shared by all that runs.
local function shared(meta)
	return type(meta) == "table" and (meta == getmetatable ""
		or type(meta.__name) == "string" and meta.__name:find "^mapwright" ~= nil)
end

local function get_meta(v)
	local meta = getmetatable(v)
	if shared(meta) then return "locked" end
	return meta
end

local function set_meta(t, meta)
	if shared(getmetatable(t)) then
		errors.fail("setmetatable: %s keeps its metatable", require "mapwright.opts".show(t))
	end
	return setmetatable(t, meta)
end

-- As coroutine.wrap, which puts its caller's line before a message that has one.
local function wrap(fn)
	local thread = coroutine.create(fn)
	local function results(ok, ...)
		if not ok then error((...), 0) end
		return ...
	end
	return function(...) return results(coroutine.resume(thread, ...)) end
end

-- What people who know another language write, by the place where Lua gives up.
local habits = {
	{ "near '//'", "^%s*//", "a comment begins with --" },
	{ "near '!'", "!=", "'not equal' is ~=" },
	{ "near '!'", "!", "'not' is written not" },
	{ "near '[%+%-%*/]'", "[%+%-%*/]=", "write a = a + 1" },
	{ "near '&'", "&&", "write and" },
	{ "near '|'", "||", "write or" },
	{ "near '='", "if.-[^=~<>]=[^=]", "'equal' is ==" },
}

-- A guess at what was meant, for the message of Lua that ends "near 'x'".
local function hint(message, text)
	local number, line, before = tonumber(message:match ":(%d+): "), "", ""
	local n = 0
	for each in (text .. "\n"):gmatch "([^\n]*)\n" do
		n = n + 1
		if n == number then line = each break end
		if each:find "%S" then before = each end
	end
	for _, habit in ipairs(habits) do
		if message:find(habit[1]) and line:find(habit[2]) then return " (" .. habit[3] .. ")" end
	end
	if not message:find "'}' expected" then return "" end
	-- Lua names the line where it gave up; a forgotten comma may stand at the end of the one before
	local near = message:match "near '(.-)'$"
	local at = near and line:find(near, 1, true)
	if at and line:sub(1, at - 1):find "%S" then
		return (" (is a comma missing before %s?)"):format(near)
	elseif near and near:find "^[%a_\"{#]"
			and not ("for if local while return end"):find(near, 1, true) then
		return " (is a comma missing at the end of the line before?)"
	end
	return before:find ",%s*$" and "" or " (is a comma or a } missing at the end of the line before?)"
end

--- The text of a script file as a function in `env`.
local function load_script(path, env)
	local text = core.fs.read(path)
	-- what editors and shells put in front of a program: a byte order mark, "#!/usr/bin/env ..."
	text = text:gsub("^\239\187\191", ""):gsub("^#", "--#")
	-- A function with a variable to be closed makes no tail calls: `return mw.box{...}` in the main
	-- chunk keeps its frame, and so errors keep their line.
	local chunk, message = load("local __frame <close> = nil; " .. text, "@" .. path, "t", env)
	if not chunk then
		message = message .. hint(message, text)
		error(message, 0)
	end
	return chunk
end

--- A fresh environment for one run.
function M.environment()
	local env, loaded = {}, {}
	local loading, chain = {}, {} -- mark of a module being loaded; those that are, outermost first
	local allowed = {
		assert = assert, error = error, ipairs = ipairs, pcall = pcall, select = select,
		tonumber = tonumber, type = type, xpcall = xpcall, rawequal = rawequal, rawget = rawget,
		rawlen = rawlen, rawset = rawset, setmetatable = set_meta, getmetatable = get_meta,
		_VERSION = _VERSION, string = copy_of(string), table = copy_of(table), utf8 = copy_of(utf8),
		coroutine = copy_of(coroutine), math = seeded_math(),
		pairs = ordered.pairs, next = ordered.next, tostring = tostring_fixed, print = print_fixed,
	}
	allowed.string.dump = nil
	allowed.coroutine.wrap = wrap

	function allowed.require(name)
		if type(name) ~= "string" then errors.fail("require: expected a module name") end
		if name == "mapwright" then return require "mapwright" end
		if name:match "^mapwright%." then
			errors.fail("require: '%s' is a part of the library; all of it is reached through"
				.. " require \"mapwright\"", name)
		end
		if loaded[name] == loading then
			errors.fail("require: '%s' is required while it is loaded: %s", name,
				table.concat(chain, " requires ") .. " requires " .. name)
		end
		if loaded[name] ~= nil then return loaded[name] end
		if name == "" or name:find("..", 1, true) or name:find "^[%./\\]" then
			errors.fail("require: '%s' is not a module name; write require \"folder.file\"", name)
		end
		local tried = {}
		for _, form in ipairs { "%s.lua", "%s/init.lua" } do
			local path = form:format((name:gsub("%.", "/")))
			local full = project.resolve(path)
			if core.fs.kind(full) == "file" then
				project.input(path)
				loaded[name] = loading
				chain[#chain + 1] = name
				local value = load_script(full, env)(name)
				chain[#chain] = nil
				loaded[name] = value == nil or value
				return loaded[name]
			end
			tried[#tried + 1] = full
		end
		errors.fail("require: no module '%s' (looked for %s)", name, table.concat(tried, " and "))
	end

	env._G = env
	local declared = {}
	setmetatable(env, {
		__index = function(_, name)
			local value = allowed[name]
			if value ~= nil then return value end
			if instead[name] then
				errors.fail("'%s' is not available in a build script: %s", name, instead[name])
			end
			local names = copy_of(allowed)
			errors.fail("global '%s' is not defined%s", tostring(name), suggest(name, names))
		end,
		__newindex = function(_, name)
			if declared[name] then return end
			errors.fail("assignment to global '%s'; write 'local %s = ...'", tostring(name),
				tostring(name))
		end,
		__metatable = "locked",
	})
	return env
end

--- Run a build script. Its targets are in `project.targets` afterwards.
---@param path string
---@return any ... what the script returns
function M.run(path)
	project.seen[path] = true
	project.inputs[#project.inputs + 1] = path
	local chunk = load_script(path, M.environment())
	return chunk()
end

return M
