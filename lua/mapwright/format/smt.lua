--- .smt files: what `info` and `dump` show.
local core = require "mapwright.core"
local text = require "mapwright.format.text"

local M = { name = "smt", title = "tile file", extensions = { ".smt" } }

local HEADER, TILE = 32, 680

local function distinct(bytes, count)
	local seen, n = {}, 0
	for i = 0, count - 1 do
		local tile = bytes:sub(HEADER + 1 + i * TILE, HEADER + (i + 1) * TILE)
		if not seen[tile] then
			seen[tile] = true
			n = n + 1
		end
	end
	return n
end

--- What a tile file holds.
---@param path string
---@return table info, table[] findings
function M.info(path)
	local bytes = core.fs.read(path)
	local smt, findings = core.smt.read(bytes, path)
	return {
		__keys = { "kind", "bytes", "num_tiles", "tiles_present", "distinct_tiles",
			"trailing_bytes", "tile_size", "compression" },
		kind = "smt",
		bytes = #bytes,
		num_tiles = smt.declared,
		tiles_present = smt.present,
		distinct_tiles = distinct(bytes, smt.count),
		trailing_bytes = smt.trailing,
		tile_size = 32,
		compression = "dxt1",
	}, findings
end

--- The whole tile file as text: the hash of each tile, equal neighbours written once.
---@param path string
---@param write fun(text: string)
---@return table[] findings
function M.dump(path, write)
	local bytes = core.fs.read(path)
	local smt, findings = core.smt.read(bytes, path)
	local function tile(i) return bytes:sub(HEADER + 1 + i * TILE, HEADER + (i + 1) * TILE) end
	write(("smt {\n\tnum_tiles = %d,\n\ttiles = { -- by their hash\n"):format(smt.declared))
	local i = 0
	while i < smt.count do
		local first, same = tile(i), 1
		while i + same < smt.count and tile(i + same) == first do same = same + 1 end
		write(('\t\t[%d] = "%s",%s\n'):format(i, text.hash(first),
			same > 1 and (" -- and %d more"):format(same - 1) or ""))
		i = i + same
	end
	write "\t},\n"
	if smt.trailing > 0 then write(("\ttrailing_bytes = %d,\n"):format(smt.trailing)) end
	for _, f in ipairs(findings) do write(("\tfinding = %s,\n"):format(text.quote(f.message))) end
	write "}\n"
	return findings
end

return M
