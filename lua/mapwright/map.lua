--- A finished map, opened: its .smf and what its mapinfo.lua says, from a lone .smf, a .sdd folder,
--- a .sdz or a .sd7.
local core = require "mapwright.core"
local errors = require "mapwright.errors"

local M = {}

--- The .smf of an archive: the one mapinfo names, else the only one there is.
---@return string name as stored
function M.smf_name(archive, info, label)
	local wanted = info and (info.mapfile or info.mapFile)
	if type(wanted) == "string" then
		local name = archive:find(wanted)
		if name then return name end
	end
	local found = {}
	for _, entry in ipairs(archive:entries()) do
		if entry.name:lower():match "%.smf$" then found[#found + 1] = entry.name end
	end
	if #found == 0 then
		errors.raise("format", "%s: holds no .smf", label)
	elseif #found > 1 then
		errors.raise("format", "%s: %s and %s both exist and mapinfo.lua has no mapfile that says which",
			label, found[1], found[2])
	end
	return found[1]
end

--- mapinfo.lua of a finished map, wherever it lies, evaluated (keys in lower case); nil where it
--- fails.
---@param path string
function M.evaluated(path)
	local site = require "mapwright.mapinfo.site".open(path)
	local result = require "mapwright.mapinfo.eval".evaluate(site, {})
	site.close()
	return not result.failure and result.info or nil
end

--- Open a map. `info` is mapinfo.lua evaluated (keys in lower case) or nil.
---@param path string
---@return {smf: userdata, findings: table[], info: table?, archive: userdata?, smf_name: string}
function M.open(path)
	local map = { path = path }
	if core.fs.kind(path) == "file" and path:lower():match "%.smf$" then
		map.smf_name = path
		map.smf, map.findings = core.smf.read(core.fs.read(path), path)
		return map
	end
	map.archive = core.archive.open(path)
	if map.archive:find "mapinfo.lua" then
		local ok, info = pcall(M.evaluated, path)
		map.info = ok and info or nil
	end
	map.smf_name = M.smf_name(map.archive, map.info, path)
	map.smf, map.findings = core.smf.read(map.archive:read(map.smf_name),
		path .. ": " .. map.smf_name)
	return map
end

--- Heights between which the words lie: those of mapinfo's smf table where it has them.
function M.height_range(map)
	local header, over = map.smf:info(), map.info and map.info.smf or {}
	return tonumber(over.minheight) or header.min_height, tonumber(over.maxheight) or header.max_height
end

--- The height field, as the engine has it.
function M.heights(map)
	local words, w, h = map.smf:grid "height"
	if not words then errors.raise("format", "%s: its height map cannot be read", map.path) end
	local low, high = M.height_range(map)
	return core.quantize.decode_u16(words, w, h, low, high, 0, 0, 8)
end

--- Start positions of mapinfo's teams, in order up to the first gap.
function M.starts(map)
	local out, teams = {}, map.info and map.info.teams or {}
	while teams[#out] and teams[#out].startpos do
		local at = teams[#out].startpos
		out[#out + 1] = { x = tonumber(at.x) or 0, z = tonumber(at.z) or 0 }
	end
	return out
end

--- Centres of the metal map's separate patches, weighted by their bytes: {x, z, sum} rows.
function M.metal_patches(map)
	local bytes, w, h = map.smf:grid "metal"
	local seen, out = {}, {}
	for first in (bytes or ""):gmatch "()[^%z]" do
		if not seen[first] then
			seen[first] = true
			local stack, sum, sx, sz, cells = { first }, 0, 0, 0, 0
			while #stack > 0 do
				local at = table.remove(stack)
				local x, z, v = (at - 1) % w, (at - 1) // w, bytes:byte(at)
				sum, sx, sz, cells = sum + v, sx + v * (16 * x + 8), sz + v * (16 * z + 8), cells + 1
				for dz = -1, 1 do
					for dx = -1, 1 do
						local nx, nz = x + dx, z + dz
						local near = nz * w + nx + 1
						if nx >= 0 and nx < w and nz >= 0 and nz < h and not seen[near]
							and bytes:byte(near) ~= 0 then
							seen[near] = true
							stack[#stack + 1] = near
						end
					end
				end
			end
			out[#out + 1] = { x = sx / sum, z = sz / sum, sum = sum, cells = cells }
		end
	end
	return out
end

return M
