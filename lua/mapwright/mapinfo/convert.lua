--- What the engine makes of the values of mapinfo.lua (rts/Lua/LuaParser.cpp:1399-1585), its
--- defaults and its clamps (rts/Map/MapInfo.cpp). Each conversion returns the value, or nil where
--- the engine would fall back to its default, and a word for what happened on the way.
local core = require "mapwright.core".mapinfo
local schema = require "mapwright.schema.mapinfo"
local join = require "mapwright.mapinfo.source".join

local M = {}

-- A float32 as the shortest number that is one.
local function tidy(v)
	if v ~= v or v == math.huge or v == -math.huge then return v end
	if v == math.floor(v) and math.abs(v) < 1e15 then return math.tointeger(v) or v end
	return tonumber(("%.9g"):format(v)) and tonumber(require "mapwright.core".base.float32_text(v))
		or v
end
M.tidy = tidy

--- A number, or any text: what is no number reads as 0.
function M.float(v)
	if type(v) == "number" then return v end
	if type(v) == "string" then
		local number = tonumber(v:match "^%s*(.-)%s*$")
		if number then return tidy(core.float(number)), "text" end
		return 0, "no-number"
	end
	return nil, "type"
end

function M.int(v)
	local number, note = M.float(v)
	if not number then return nil, note end
	if number ~= number or math.abs(number) > 2147483647 then return 0, "no-number" end
	local whole = number < 0 and math.ceil(number) or math.floor(number)
	return math.tointeger(whole), note or (whole ~= number and "cut" or nil)
end

function M.bool(v)
	if type(v) == "boolean" then return v end
	if type(v) == "number" then return v ~= 0, "loose" end
	if type(v) == "string" then
		local low = v:lower()
		if low == "1" or low == "true" then return true, "loose" end
		if low == "0" or low == "false" then return false, "loose" end
	end
	return nil, "type"
end

function M.string(v)
	if type(v) == "string" then return v end
	if type(v) == "number" then return core.number_text(v), "number" end
	return nil, "type"
end

-- {1, 2, 3} or "1 2 3"; n components all of them, or the default for the whole
local function vector(v, n)
	local out = {}
	if type(v) == "table" then
		for i = 1, n do
			local part = M.float(v[i])
			if not part then return nil, "short" end
			out[i] = part
		end
		return out
	elseif type(v) == "string" then
		for word in v:gmatch "%S+" do
			local part = tonumber(word)
			if not part then break end
			out[#out + 1] = tidy(core.float(part))
			if #out == n then return out, "text" end
		end
		return nil, "short"
	end
	return nil, "type"
end

function M.float3(v) return vector(v, 3) end
function M.float4(v) return vector(v, 4) end

function M.strings(v)
	if type(v) ~= "table" then return nil, "type" end
	local out = {}
	while type(v[#out + 1]) == "string" do out[#out + 1] = v[#out + 1] end
	return out
end

function M.table(v)
	if type(v) == "table" then return v end
	return nil, "type"
end

--- The value at a path such as "water.damage" or "teams[0].startpos.x".
function M.get(info, path)
	local v = info
	for name, index in path:gmatch "([^.%[%]]*)%[?([^.%[%]]*)%]?%.?" do
		if name ~= "" then
			if type(v) ~= "table" then return nil end
			v = v[name]
		end
		if index ~= "" then
			if type(v) ~= "table" then return nil end
			v = v[tonumber(index)]
		end
	end
	return v
end

--- A value as the schema row has it: converted and clamped. note is "default" where the value does
--- not serve.
---@return any value, string? note, any before what it was before a clamp
function M.apply(row, v)
	local value, note
	if row.short and type(v) == "table" and #v == row.short then
		value, note = vector(v, row.short)
		if value then value[#value + 1] = 1 end
	else
		value, note = M[row.type](v)
		if value == nil and row.short then
			value = vector(v, row.short)
			if value then value[#value + 1] = 1 end
		end
	end
	if value == nil then return nil, note end
	if type(value) == "number" then
		local before = value
		if row.min and (value < row.min or value ~= value) then value = row.min end
		if row.max and value > row.max then value = row.max end
		if value ~= before then
			return value, note == "no-number" and note or "clamped", before
		end
	end
	return value, note
end

local function length(x, y, z) return math.sqrt(x * x + y * y + z * z) end

-- What a single row cannot say (MapInfo.cpp:112, 149-159, 169-171, 207-209, 300-311).
local function finish(out)
	local hard = out.maphardness
	if math.abs(hard.value) < 0.001 then
		hard.value, hard.note = hard.value < 0 and -0.001 or 0.001, "clamped"
	end
	local least, most = out["atmosphere.minwind"], out["atmosphere.maxwind"]
	if least.value > most.value then least.value, least.note = most.value, "clamped" end
	local tiles = out["water.numtiles"]
	if (out["water.normaltexture"].value or "") == "" and tiles.value ~= 4 then
		tiles.value, tiles.note = 4, "ignored"
	end
	local sun = out["lighting.sundir"].value
	local n = length(sun[1], sun[2], sun[3])
	if n > 0 then
		out["lighting.sundir"].value = { tidy(core.float(sun[1] / n)), tidy(core.float(sun[2] / n)),
			tidy(core.float(sun[3] / n)), sun[4] }
	end
end

local function one(out, row, path, info)
	local given = M.get(info, path)
	local item = { path = path, row = row }
	if given ~= nil then
		item.given = given
		item.value, item.note, item.before = M.apply(row, given)
		if item.value ~= nil then item.from = "file" end
	end
	out[path] = item
	out[#out + 1] = item
end

--- Every key the engine reads with the value it takes: a list, and by path in lower case, of
--- {path, row, value, from = "file"|"default", note, given}.
function M.effective(info)
	local out = {}
	for _, row in ipairs(schema) do
		local low = row.path:lower()
		if not row.unread and not row.deprecated and not row.open and row.type then
			if not low:find "[%[]" and not low:find "%.%." then
				one(out, row, low, info)
			end
		end
	end
	for _, list in ipairs { { "terraintypes", 0, 255 }, { "teams", 0, 254 } } do
		local name = list[1]
		for i = list[2], list[3] do
			local entry = type(info[name]) == "table" and info[name][i]
			if type(entry) ~= "table" or (name == "teams" and type(entry.startpos) ~= "table") then
				if name == "teams" then break end
			else
				local here = ("%s[%d]"):format(name, i)
				for _, row in ipairs(schema) do
					local rest = row.path:lower():match("^" .. name .. "%[[^%]]*%](.*)$")
					if rest then one(out, row, here .. rest, info) end
				end
			end
		end
	end
	for _, numbered in ipairs { { "resources.splatdetailnormaltex", 1 }, { "smf.smtfilename", 0 } } do
		local i = numbered[2]
		while M.get(info, numbered[1] .. i) ~= nil do
			one(out, schema.find(numbered[1] .. i), numbered[1] .. i, info)
			i = i + 1
		end
	end
	for _, item in ipairs(out) do
		if item.value == nil then
			item.from = "default"
			if item.given ~= nil then item.note = "default" end
			item.value = item.row.default
		end
	end
	for _, item in ipairs(out) do
		if item.from == "default" and item.row.same_as then
			item.value = out[item.row.same_as:lower()].value
		end
	end
	finish(out)
	return out
end

M.join = join

return M
