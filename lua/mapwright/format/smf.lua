--- .smf files: what `info` and `dump` show.
local core = require "mapwright.core"
local text = require "mapwright.format.text"

local M = { name = "smf", title = "map file", extensions = { ".smf" } }

--- Read a map file. Blocks that cannot be read are absent and named in the findings.
---@param path string
---@return userdata smf, table[] findings
function M.read(path)
	return core.smf.read(core.fs.read(path), path)
end

local function map(list, fn)
	local out = {}
	for i, v in ipairs(list) do out[i] = fn(v) end
	return out
end

local function block_order(smf)
	local out = {}
	for _, span in ipairs(smf:spans()) do
		if span.block ~= "header" and span.block ~= "gap" then out[#out + 1] = span.block end
	end
	return out
end

-- A table that keeps the order in which its keys were first set.
local function ordered()
	local keys = {}
	return setmetatable({ __keys = keys }, {
		__newindex = function(t, k, v)
			if v ~= nil then keys[#keys + 1] = k end
			rawset(t, k, v)
		end,
	})
end

--- What a map file holds: sizes, counts, ranges.
---@param bytes string
---@param label string words for messages
---@return table info, table[] findings
function M.info_of(bytes, label)
	local smf, findings = core.smf.read(bytes, label)
	local head, info = smf:info(), ordered()
	local tile_files = smf:tile_files()
	info.kind = "smf"
	info.bytes = head.file_bytes
	info.mapx = head.mapx
	info.mapy = head.mapy
	info.map_id = head.map_id
	info.min_height = head.min_height
	info.max_height = head.max_height
	local heights = smf:stats "height"
	if heights then
		info.lowest = core.smf.height_of(head.min_height, head.max_height, heights.min)
		info.highest = core.smf.height_of(head.min_height, head.max_height, heights.max)
		info.height_levels = heights.distinct
	end
	local types = smf:stats "type"
	info.terrain_types_used = types and types.distinct
	local metal = smf:stats "metal"
	info.metal_cells = metal and metal.nonzero
	info.metal_sum = metal and metal.sum
	info.num_tiles = head.num_tiles
	info.num_tile_files = #tile_files
	info.tile_files = map(tile_files, function(f) return f.name end)
	info.tile_file_counts = map(tile_files, function(f) return f.count end)
	info.tiles_used = smf:tiles_used()
	info.minimap_bytes = head.minimap_bytes
	local grass = smf:stats "grass"
	info.has_grass = grass ~= nil
	info.grass_max = grass and grass.max
	info.num_feature_types = #smf:feature_types()
	info.feature_types = smf:feature_types()
	info.num_features = #smf:features()
	info.num_extra_headers = #smf:extras()
	info.block_order = block_order(smf)
	return setmetatable(info, nil), findings
end

--- The same of a file.
function M.info(path)
	return M.info_of(core.fs.read(path), path)
end

local grids = {
	{ "height", "heights", "I2" },
	{ "type", "types", "I1" },
	{ "metal", "metal", "I1" },
	{ "grass", "grass", "I1" },
	{ "tiles", "tile_index", "i4" },
}

local function put_list(write, name, rows, fn)
	if #rows == 0 then return write(("\t%s = {},\n"):format(name)) end
	write(("\t%s = {\n"):format(name))
	for i, row in ipairs(rows) do write("\t\t" .. fn(row, i) .. ",\n") end
	write "\t},\n"
end

-- Each DXT1 level of the minimap by its hash: a change shows where it is.
local function put_minimap(write, bytes)
	write(("\tminimap = { -- %d bytes of DXT1\n"):format(#bytes))
	local side, at = 1024, 1
	while at <= #bytes do
		local blocks = math.max(1, side // 4)
		local size = blocks * blocks * 8
		write(('\t\t"%s", -- %d x %d\n'):format(text.hash(bytes:sub(at, at + size - 1)), side, side))
		at, side = at + size, math.max(1, side // 2)
	end
	write "\t},\n"
end

--- The whole map file as text.
---@param bytes string
---@param label string words for messages
---@param write fun(text: string)
---@return table[] findings
function M.dump_of(bytes, label, write)
	local smf, findings = core.smf.read(bytes, label)
	local head, number = smf:info(), text.float
	write "smf {\n"
	write(("\tmap_id = %d,\n\tmapx = %d,\n\tmapy = %d,\n"):format(head.map_id, head.mapx, head.mapy))
	write(("\tmin_height = %s,\n\tmax_height = %s,\n"):format(number(head.min_height),
		number(head.max_height)))
	put_list(write, "layout", smf:spans(), function(s)
		return ("{ %s, offset = %d, size = %d }"):format(text.quote(s.block), s.offset, s.size)
	end)
	put_list(write, "extra_headers", smf:extras(), function(e)
		return ("{ type = %d, size = %d%s }"):format(e.type, e.size,
			e.payload and ", " .. text.quote(e.payload) or "")
	end)
	write(("\tnum_tiles = %d,\n"):format(head.num_tiles))
	put_list(write, "tile_files", smf:tile_files(), function(f)
		return ("{ %s, count = %d }"):format(text.quote(f.name), f.count)
	end)
	put_list(write, "feature_types", smf:feature_types(), function(name, i)
		return ("[%d] = %s"):format(i - 1, text.quote(name))
	end)
	put_list(write, "features", smf:features(), function(f)
		return ("{ type = %d, x = %s, y = %s, z = %s, rotation = %s, relative_size = %s }"):format(
			f.type, number(f.x), number(f.y), number(f.z), number(f.rotation),
			number(f.relative_size))
	end)
	for _, grid in ipairs(grids) do
		local cells, width, depth = smf:grid(grid[1])
		if cells then text.grid(write, grid[2], cells, width, depth, grid[3]) end
	end
	local minimap = smf:grid "minimap"
	if minimap then put_minimap(write, minimap) end
	put_list(write, "findings", findings, function(f)
		return ("{ %s, %s }"):format(text.quote(f.rule), text.quote(f.message))
	end)
	write "}\n"
	return findings
end

--- The same of a file.
---@return table[] findings
function M.dump(path, write)
	return M.dump_of(core.fs.read(path), path, write)
end

return M
