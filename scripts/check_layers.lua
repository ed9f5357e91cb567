-- Check the arrows between the folders of src/: includes may only point left.
--   lua5.4 scripts/check_layers.lua [ROOT]
-- Prints one line per fault and exits 1 when there are any.

local root = arg[1] or "src"

-- What each layer may include besides itself.
local LEFT = {
	base = {},
	geom = { "base" },
	raster = { "base" },
	scene = { "base", "geom", "raster" },
	compile = { "base", "geom", "raster", "scene" },
	format = { "base", "geom", "raster", "scene", "compile" },
	archive = { "base" },
	view = { "base", "geom", "raster", "compile" },
	bind = { "base", "geom", "raster", "scene", "compile", "format", "archive", "view" },
	cli = { "base", "geom", "raster", "scene", "compile", "format", "archive", "view", "bind" },
}
-- Headers of src/bind that the Lua face of a room may include.
local LUA_FACE = { ["bind/lx.h"] = true, ["bind/modules.h"] = true }
local EVALUATOR = "^format/mapinfo/mapinfo_eval[%l_]*%.c$"
local LUA_HEADERS = { ["lua.h"] = true, ["lauxlib.h"] = true, ["lualib.h"] = true,
	["lfs.h"] = true, ["luaconf.h"] = true }

local faults = 0
local function fault(path, line, ...)
	faults = faults + 1
	print(("%s/%s:%d: %s"):format(root, path, line, string.format(...)))
end

local allowed = {}
for layer, names in pairs(LEFT) do
	allowed[layer] = { [layer] = true }
	for _, name in ipairs(names) do
		allowed[layer][name] = true
	end
end

local function room_of(path)
	return path:match("^format/([^/]+)/")
end

-- A room's Lua face belongs to the bind library, but may reach no further than its own room.
local function is_lua_face(path)
	return path == "archive/archive_lua.c" or path:match(EVALUATOR) ~= nil
		or path:match("^format/[^/]+/[^/]+_lua%.[ch]$") ~= nil
end

local function check_include(path, number, target)
	local layer = path:match("^([^/]+)/")
	local to = target:match("^([^/]+)/.")
	if not to then
		return fault(path, number, 'name the folder: "%s"', target)
	elseif not LEFT[to] then
		return fault(path, number, '"%s": no layer is called %s', target, to)
	end
	if to == "bind" and is_lua_face(path) then
		if not LUA_FACE[target] and not (path:match(EVALUATOR) and target == "bind/sandbox.h") then
			fault(path, number, '"%s": the Lua face of a room sees bind/lx.h and modules.h only', target)
		end
	elseif not allowed[layer][to] then
		return fault(path, number, '"%s": %s must not see %s', target, layer, to)
	end
	if target:match "^format/.*_lua%.h$" and not is_lua_face(path) then
		fault(path, number, '"%s": only the Lua face of its room sees it', target)
	end
	local from_room, to_room = room_of(path), room_of(target)
	if layer == "format" and to_room and to_room ~= from_room and path ~= "format/list.c" then
		fault(path, number, '"%s": format/%s must not see format/%s', target,
			from_room or path:match("[^/]+$"), to_room)
	end
end

local files = {}
local pipe = assert(io.popen(("find '%s' -type f -name '*.[ch]' | LC_ALL=C sort"):format(root)))
for path in pipe:lines() do
	files[#files + 1] = path:sub(#root + 2)
end
pipe:close()
local exists = {}
for _, path in ipairs(files) do
	exists[path] = true
end

local names = {}
for _, path in ipairs(files) do
	local layer, name = path:match("^([^/]+)/"), path:match("[^/]+$")
	if not LEFT[layer or ""] then
		fault(path, 1, "src/%s is not a layer", layer or "")
	else
		if names[name] then
			fault(path, 1, "the name is taken by %s/%s", root, names[name])
		end
		names[name] = path
		local own, first = path:gsub("%.c$", ".h"), true
		local number = 0
		for text in io.lines(root .. "/" .. path) do
			number = number + 1
			local quoted = text:match('^%s*#%s*include%s*"([^"]+)"')
			local system = text:match("^%s*#%s*include%s*<([^>]+)>")
			if quoted then
				check_include(path, number, quoted)
			elseif system and LUA_HEADERS[system] and layer ~= "bind" and layer ~= "cli"
				and not is_lua_face(path) then
				fault(path, number, "<%s>: only *_lua.[ch] files, src/bind and src/cli may see Lua", system)
			end
			if (quoted or system) and first then
				first = false
				if path ~= own and exists[own] and quoted ~= own then
					fault(path, number, 'the own header "%s" comes first', own)
				end
			end
		end
	end
end

if faults > 0 then
	print(("%d layer fault(s)"):format(faults))
	os.exit(1)
end
