--- Stable Lua-like text for dumps: the same for the same file, and readable in a diff.
local base = require "mapwright.core".base
local luatext = require "mapwright.util.luatext"

local M = {}

--- A quoted string with every byte that is not printable ASCII escaped.
function M.quote(s)
	return luatext.quote(s, true)
end

--- A number that was stored as a float32.
M.float = base.float32_text

-- "0*64 7 255*3"
local function runs(values)
	local out, n, i = {}, #values, 1
	while i <= n do
		local v, from = values[i], i
		repeat i = i + 1 until values[i] ~= v
		out[#out + 1] = i - from > 1 and ("%d*%d"):format(v, i - from) or ("%d"):format(v)
	end
	return table.concat(out, " ")
end

-- string.unpack gives at most some hundred values at once
local function row_values(bytes, from, width, code, size)
	local values, chunk = {}, 128
	for x = 0, width - 1, chunk do
		local n = math.min(chunk, width - x)
		local got = { string.unpack("<" .. code:rep(n), bytes, from + x * size) }
		table.move(got, 1, n, x + 1, values)
	end
	return values
end

--- A grid: one string a row, equal neighbouring rows written once with their number.
---@param write fun(text: string)
---@param name string
---@param bytes string little-endian
---@param width integer
---@param depth integer
---@param code string "I1" | "I2" | "i4" as for string.unpack
function M.grid(write, name, bytes, width, depth, code)
	local size = string.packsize("<" .. code)
	local stride = width * size
	write(("\t%s = { -- %d x %d\n"):format(name, width, depth))
	local z = 0
	while z < depth do
		local from = 1 + z * stride
		local row, same = bytes:sub(from, from + stride - 1), 1
		while z + same < depth
			and bytes:sub(from + same * stride, from + (same + 1) * stride - 1) == row do
			same = same + 1
		end
		local text = runs(row_values(bytes, from, width, code, size))
		write(same > 1 and ('\t\t{ rows = %d, "%s" },\n'):format(same, text)
			or ('\t\t"%s",\n'):format(text))
		z = z + same
	end
	write "\t},\n"
end

--- Content too large to show: its hash.
M.hash = base.hash

return M
