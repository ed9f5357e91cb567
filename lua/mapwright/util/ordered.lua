--- pairs and next in a fixed order (numbers, then strings bytewise): stock Lua's order changes from
--- run to run. Keys of other types raise, __pairs is honoured.
local errors = require "mapwright.errors"

local M = {}

local function less(a, b)
	local ta, tb = math.type(a), math.type(b)
	if ta and tb then return a < b end
	if ta or tb then return ta ~= nil end
	return a < b
end

--- Sorted keys of a table.
function M.keys(t)
	local keys, n = {}, 0
	for k in next, t do
		local kind = type(k)
		if kind ~= "number" and kind ~= "string" then
			errors.fail("pairs: a key that is a %s has no fixed order; use numbers or strings", kind)
		end
		n = n + 1
		keys[n] = k
	end
	table.sort(keys, less)
	return keys
end

--- As pairs.
function M.pairs(t)
	local meta = getmetatable(t)
	if type(meta) == "table" and meta.__pairs then return meta.__pairs(t) end
	if type(t) ~= "table" then
		errors.fail("pairs: expected a table, got %s", require "mapwright.opts".show(t))
	end
	local keys, i = M.keys(t), 0
	return function()
		local k, v
		repeat -- keys removed while walking are passed over, as by next
			i = i + 1
			k = keys[i]
			v = k ~= nil and rawget(t, k)
		until k == nil or v ~= nil
		if k ~= nil then return k, v end
	end, t, nil
end

-- the walk that `next` is in, so that `for k, v in next, t` stays linear
local last = { walked = setmetatable({}, { __mode = "v" }) }

--- As next.
function M.next(t, k)
	if k == nil or last.walked[1] ~= t then
		last.walked[1], last.keys, last.at = t, M.keys(t), {}
		for i, key in ipairs(last.keys) do last.at[key] = i end
	end
	local i = 0
	if k ~= nil then
		i = last.at[k]
		if not i then errors.fail("next: '%s' is no key of the table", tostring(k)) end
	end
	repeat i = i + 1 until last.keys[i] == nil or rawget(t, last.keys[i]) ~= nil
	k = last.keys[i]
	if k ~= nil then return k, rawget(t, k) end
	return nil
end

return M
