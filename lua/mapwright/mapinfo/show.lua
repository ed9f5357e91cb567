--- Evaluated tables as Lua and as JSON.
local base = require "mapwright.core".base
local keys_of = require "mapwright.mapinfo.eval".keys
local luatext = require "mapwright.util.luatext"

local M = {}

local function scalar(v)
	if type(v) == "string" then return luatext.quote(v) end
	if type(v) ~= "number" then return tostring(v) end
	if v ~= v then return "0/0" end
	if v == math.huge or v == -math.huge then return v > 0 and "math.huge" or "-math.huge" end
	return math.type(v) == "integer" and ("%d"):format(v) or base.number_text(v)
end

-- 1..n without a gap
local function is_list(t)
	local n = 0
	for _ in next, t do n = n + 1 end
	return n == #t
end

local function key_text(k)
	if type(k) == "number" then return "[" .. scalar(k) .. "]" end
	return luatext.is_name(k) and k or "[" .. luatext.quote(k) .. "]"
end

--- A value as Lua text; tables of plain values on one line where they fit.
function M.lua(v, indent)
	indent = indent or ""
	if type(v) ~= "table" then return scalar(v) end
	local list, parts, flat = is_list(v), {}, true
	for _, k in ipairs(keys_of(v)) do
		local inner = v[k]
		flat = flat and (type(inner) ~= "table" or next(inner) == nil)
		parts[#parts + 1] = (list and "" or key_text(k) .. " = ") .. M.lua(inner, indent .. "\t")
	end
	if #parts == 0 then return "{}" end
	local line = "{ " .. table.concat(parts, ", ") .. " }"
	if flat and #line + #indent < 80 then return line end
	return "{\n" .. indent .. "\t" .. table.concat(parts, ",\n" .. indent .. "\t") .. ",\n" .. indent
		.. "}"
end

--- A value as core.json_write takes it: lists stay lists, other keys become names in order.
function M.plain(v)
	if type(v) == "number" and (v ~= v or v == math.huge or v == -math.huge) then
		return scalar(v)
	end
	if type(v) ~= "table" then return v end
	if next(v) ~= nil and is_list(v) then
		local out = {}
		for i, inner in ipairs(v) do out[i] = M.plain(inner) end
		return out
	end
	local out, names = {}, {}
	for _, k in ipairs(keys_of(v)) do
		local name = type(k) == "number" and scalar(k) or k
		if out[name] == nil then
			names[#names + 1] = name
			out[name] = M.plain(v[k])
		end
	end
	out.__keys = names
	return out
end

--- A value as JSON text.
function M.json(v)
	return base.json_write(M.plain(v), 2) .. "\n"
end

return M
