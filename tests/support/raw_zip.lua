-- A zip written byte by byte, for archives that no packer makes: any name, any method, one twice.
local M = {}

local function crc32(data)
	local crc = 0xFFFFFFFF
	for i = 1, #data do
		crc = crc ~ data:byte(i)
		for _ = 1, 8 do
			crc = (crc & 1) == 1 and (crc >> 1) ~ 0xEDB88320 or crc >> 1
		end
	end
	return crc ~ 0xFFFFFFFF
end

--- entries: rows {name, data, method = 0}
function M.make(entries)
	local body, central = {}, {}
	local at = 0
	for _, e in ipairs(entries) do
		local name, data = e[1], e[2]
		local common = string.pack("<I2I2I2I2I2I4I4I4I2I2", 20, 0, e.method or 0, 0, 33, crc32(data),
			#data,
			#data, #name, 0)
		local here = "PK\3\4" .. common .. name .. data
		central[#central + 1] = "PK\1\2" .. string.pack("<I2", 20) .. common
			.. string.pack("<I2I2I2I4I4", 0, 0, 0, 0, at) .. name
		body[#body + 1] = here
		at = at + #here
	end
	local directory = table.concat(central)
	return table.concat(body) .. directory .. "PK\5\6" .. string.pack("<I2I2I2I2I4I4I2", 0, 0,
		#entries,
		#entries, #directory, at, 0)
end

return M
