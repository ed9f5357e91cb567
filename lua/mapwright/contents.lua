--- Names of what a brush is filled with, and their bits.
local errors = require "mapwright.errors"

local M = { solid = 1, water = 2, clip = 4, trigger = 8, sky = 16 }
local order = { "solid", "water", "clip", "trigger", "sky" }

--- Names of bits, "none" for 0.
---@param bits integer
---@return string[]
function M.names(bits)
	local out = {}
	for _, name in ipairs(order) do
		if bits & M[name] ~= 0 then out[#out + 1] = name end
	end
	if bits & ~31 ~= 0 then out[#out + 1] = ("0x%x"):format(bits & ~31) end
	return out
end

--- Bits of a list of names.
---@param names string[]
---@param what string words for messages
function M.bits(names, what)
	local bits = 0
	for _, name in ipairs(names) do
		local bit = math.type(M[name]) and M[name]
		if not bit then
			errors.fail("%s: contents must be of %s, got %s%s", what, table.concat(order, ", "),
				require "mapwright.opts".show(name), require "mapwright.util.suggest" (name, order))
		end
		bits = bits | bit
	end
	return bits
end

return M
