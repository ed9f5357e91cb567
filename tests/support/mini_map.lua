-- The smallest real map, for tests: 128 x 128 squares, one tile, made by the core.
local core = require "mapwright.core"

local M = {}

--- Bytes of a .smf and its .smt. options: as for core.smf.from_level, and `heights` a function
--- (x, z) -> 0..65535, `metal`, `types`, `grass` functions (x, z) -> byte, `squares` {w, h}.
function M.make(options)
	options = options or {}
	local w, h = table.unpack(options.squares or { 128, 128 })
	local function grid(width, depth, fn, code, default)
		if not fn and default then return string.pack("<" .. code, default):rep(width * depth) end
		if not fn then return nil end
		local rows = {}
		for z = 0, depth - 1 do
			local row = {}
			for x = 0, width - 1 do row[x + 1] = string.pack("<" .. code, fn(x, z)) end
			rows[z + 1] = table.concat(row)
		end
		return table.concat(rows)
	end
	local level = {
		mapx = w, mapy = h, min_height = options.min_height or 0, max_height = options.max_height or 200,
		heights = grid(w + 1, h + 1, options.heights, "I2", 20000),
		types = grid(w // 2, h // 2, options.types, "I1"),
		metal = grid(w // 2, h // 2, options.metal, "I1"),
		grass = grid(w // 4, h // 4, options.grass, "I1"),
		minimap = options.minimap,
		tile_files = options.tile_files or { { name = options.smt or "mini.smt", count = 1 } },
		tile_index = options.tile_index or ("\0"):rep((w // 4) * (h // 4) * 4),
		features = options.features or {},
		force_size = options.force_size,
	}
	local smf = core.smf.from_level(level):write(false, true)
	return smf, core.smt.write(options.tile or ("\200\255\100\0\0\0\0\0"):rep(85))
end

return M
