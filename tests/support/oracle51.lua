-- Run by the real Lua 5.1 (lua5.1 oracle51.lua LIST): evaluates map files with stub globals and
-- prints the tables. LIST has a line a run: file, override file or "-", then name=value options,
-- separated by tabs.

local function lower(t)
	local out = {}
	for k, v in pairs(t) do
		local key = type(k) == "string" and k:lower() or k
		if type(v) == "table" then v = lower(v) end
		if type(k) ~= "string" or k == key or t[key] == nil then out[key] = v end
	end
	return out
end

local function dump(v, path)
	if type(v) == "table" then
		for k, inner in pairs(v) do
			local key = type(k) == "number" and ("[%.17g]"):format(k) or "." .. tostring(k)
			dump(inner, path .. key)
		end
		if next(v) == nil then print(path .. "\ttable") end
	elseif type(v) == "number" then
		print(path .. "\tnumber\t" .. ("%.17g"):format(v))
	elseif type(v) == "string" or type(v) == "boolean" then
		print(path .. "\t" .. type(v) .. "\t" .. (tostring(v):gsub("[\r\n\t]", "?")))
	end
end

local function run(file, override, options)
	local E = {}
	for _, name in ipairs { "assert", "error", "getfenv", "getmetatable", "ipairs", "loadstring",
		"next",
		"pairs", "pcall", "rawequal", "rawget", "rawset", "select", "setfenv", "setmetatable", "tonumber",
		"tostring", "type", "unpack", "xpcall", "coroutine", "string", "table" } do
		E[name] = _G[name]
	end
	E._G = E
	E.math = setmetatable({ random = function() end, randomseed = function() end }, { __index = math })
	E.print = function() end
	-- code made from text sees the globals of the file
	E.loadstring = function(text, name)
		local f, message = loadstring(text, name)
		return f and setfenv(f, E), message
	end
	E.Spring = { Echo = function() end, Log = function() end,
		GetMapOptions = function() return options end }
	E.Map = { fileName = "map.smf", fullName = "maps/map.smf", configFile = "maps/map.smd" }
	E.LOG, E.Engine, E.Script = {}, {}, {}
	E.VFS = { RAW = "r", MAP = "m", BASE = "b", ZIP = "Mmeb", MOD = "M" }
	function E.VFS.DirList(dir)
		if override ~= "-" and dir:match "^mapconfig/mapinfo/?$" then
			return { "mapconfig/mapinfo/x.lua" }
		end
		return {}
	end
	function E.VFS.SubDirs() return {} end
	function E.VFS.FileExists(path) return path == "mapconfig/mapinfo/x.lua" and override ~= "-" end
	function E.VFS.LoadFile() return nil, "missing file" end
	function E.VFS.Include(path, env)
		if path ~= "mapconfig/mapinfo/x.lua" or override == "-" then error("Include() file missing "
			.. path, 2) end
		return setfenv(assert(loadfile(override)), env or getfenv(2))()
	end
	local chunk, message = loadfile(file)
	if not chunk then return print("!syntax\t" .. message) end
	local ok, value = pcall(setfenv(chunk, E))
	if not ok then return print("!error\t" .. tostring(value)) end
	if type(value) ~= "table" then return print("!none\t" .. type(value)) end
	dump(lower(value), "")
end

for line in io.lines(arg[1]) do
	local words = {}
	for word in line:gmatch "[^\t]+" do words[#words + 1] = word end
	local options = {}
	for i = 3, #words do
		local name, value = words[i]:match "^([^=]+)=(.*)$"
		options[name] = value
	end
	print("=run")
	run(words[1], words[2], options)
end
