--- Seeded numbers: the only randomness a build script has. Equal seeds and stream names give equal
--- numbers on every machine.
local core_rng = require "mapwright.core".base.rng
local errors = require "mapwright.errors"
local opts = require "mapwright.opts"

local M = {}

---@class mapwright.rng
local Rng = {}
Rng.__index = Rng
Rng.__name = "mapwright.rng"

require "mapwright.util.classes".rng = Rng

--- A generator. `rng()` gives 0..1, `rng(n)` 1..n, `rng(a, b)` a..b, as math.random does.
---@param seed integer
---@param stream? string streams of one seed are independent of each other
function M.rng(seed, stream)
	seed = opts.value({ name = "seed", type = "integer" }, seed, "rng")
	if stream ~= nil then opts.value({ name = "stream", type = "string" }, stream, "rng") end
	return setmetatable({ core = core_rng(seed, stream) }, Rng)
end

function Rng:__call(a, b)
	if a == nil then return self.core:unit() end
	if b == nil then a, b = 1, a end
	if math.type(a) ~= "integer" and math.tointeger(a) then a = math.tointeger(a) end
	if math.type(b) ~= "integer" and math.tointeger(b) then b = math.tointeger(b) end
	if math.type(a) ~= "integer" or math.type(b) ~= "integer" or a > b or b - a < 0 then
		errors.fail("random: the interval %s..%s is empty or not of whole numbers", opts.show(a),
			opts.show(b))
	end
	return a + self.core:below(b - a + 1)
end

--- A number in [a, b).
function Rng:range(a, b)
	a = opts.value({ name = "a", type = "number" }, a, "rng:range")
	b = opts.value({ name = "b", type = "number" }, b, "rng:range")
	return a + (b - a) * self.core:unit()
end

--- One item of a list.
function Rng:pick(list)
	opts.value({ name = "list", type = "list" }, list, "rng:pick")
	if #list == 0 then errors.fail("rng:pick: the list is empty") end
	return list[1 + self.core:below(#list)]
end

--- Shuffle a list in place and return it.
function Rng:shuffle(list)
	opts.value({ name = "list", type = "list" }, list, "rng:shuffle")
	for i = #list, 2, -1 do
		local j = 1 + self.core:below(i)
		list[i], list[j] = list[j], list[i]
	end
	return list
end

require "mapwright.util.guard" (Rng, "mapwright.rng")

return M
