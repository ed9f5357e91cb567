--- Old-style .smd files: TDF sections become the table that mapinfo.lua would return, as the
--- loader of the engine's base content does it (base/maphelper.sdz: maphelper/parse_tdf_map.lua).
local core = require "mapwright.core".mapinfo
local join = require "mapwright.mapinfo.source".join

local M = {}

--- Whether a text is TDF; an .smd may be Lua as well.
function M.is_tdf(text)
	local first = text:match "%S"
	return first == "[" or first == "/"
end

local flat_textures = { "detailTex", "specularTex", "splatDetailTex", "splatDistrTex",
	"grassBladeTex", "grassShadingTex", "skyReflectModTex", "detailNormalTex", "lightEmissionTex",
	"parallaxHeightTex", "splatDetailNormalTex" }

-- Sections whose keys lose or change a part of their names.
local renames = {
	water = function(key) return key:match "^water(.*)$" or key end,
	light = function(key)
		local prefix = key:match "^(.*)suncolor$"
		return prefix and prefix .. "diffusecolor" or key
	end,
	splats = function(key)
		return ({ splattexscales = "texscales", splattexmults = "texmults" })[key]
	end,
	grass = function(key)
		local rest = key:match "^grass(blade%a+)$"
		return ({ bladewavescale = 1, bladewidth = 1, bladeheight = 1, bladeangle = 1 })[rest] and rest
			or nil
	end,
}

-- One value of the result and the place it came from.
local function put(out, entries, path, key, item, value)
	out[key] = value
	local inner = join(path, key)
	entries[inner] = { { path = inner, line = item.line, col = item.col, spelled = item.name,
		value = { kind = type(value), line = item.value_line or item.line,
			col = item.value_col or item.col } } }
	return inner
end

local function copy(items, path, entries, rename)
	local out = {}
	for _, item in ipairs(items) do
		local key = rename and rename(item.name) or (not rename and item.name or nil)
		if key and item.items then
			local inner = put(out, entries, path, key, item, {})
			out[key] = copy(item.items, inner, entries)
		elseif key then
			put(out, entries, path, key, item, item.value)
		end
	end
	return out
end

local function terrain_type(item, n, out, entries)
	local path = ("terraintypes[%d]"):format(n)
	entries[path] = { { path = path, line = item.line, col = item.col, spelled = item.name,
		value = { kind = "table", line = item.line, col = item.col } } }
	local kind, speeds = { movespeeds = {} }, {}
	for _, inner in ipairs(item.items or {}) do
		local unit = inner.name:match "^(.*)movespeed$"
		if unit then
			put(speeds, entries, path .. ".movespeeds", unit, inner, inner.value)
		else
			put(kind, entries, path, inner.name, inner, inner.value)
		end
	end
	kind.movespeeds = speeds
	out[n] = kind
end

local function team(item, n, out, entries)
	local path = ("teams[%d]"):format(n)
	entries[path] = { { path = path, line = item.line, col = item.col, spelled = item.name,
		value = { kind = "table", line = item.line, col = item.col } } }
	local position = {}
	for _, inner in ipairs(item.items or {}) do
		local axis = ({ startposx = "x", startposz = "z" })[inner.name]
		if axis then put(position, entries, path .. ".startpos", axis, inner, inner.value) end
	end
	out[n] = { startpos = position }
end

--- Read TDF text. Returns the table and where its keys stand, or nil and the fault.
---@param text string
function M.read(text)
	local sections, fault = core.tdf(text)
	if not sections then return nil, fault end
	local map
	for _, section in ipairs(sections) do
		if section.name == "map" and section.items then map = section end
	end
	if not map then
		return nil, { kind = "runtime", message = "there is no [MAP] section", line = 1 }
	end
	local info, entries = { resources = {}, terraintypes = {}, teams = {} }, {}
	for _, item in ipairs(map.items) do
		local type_n = tonumber(item.name:match "^terraintype(.*)$" or "")
		local team_n = tonumber(item.name:match "^team(.*)$" or "")
		if type_n and item.items then
			terrain_type(item, math.tointeger(type_n) or type_n, info.terraintypes, entries)
		elseif team_n and item.items then
			team(item, math.tointeger(team_n) or team_n, info.teams, entries)
		elseif item.items then
			local name = item.name == "light" and "lighting" or item.name
			put(info, entries, "", name, item, {})
			info[name] = copy(item.items, name, entries, renames[item.name])
		else
			put(info, entries, "", item.name, item, item.value)
		end
	end
	for _, name in ipairs(flat_textures) do
		local low = name:lower()
		if info[low] ~= nil then
			info.resources[low] = info[low]
			entries["resources." .. low] = entries[low]
		end
	end
	return info, entries
end

return M
