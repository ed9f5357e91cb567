--- Names and strings as Lua source that every Lua from 5.1 on reads.
local M = {}

local keywords = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat
	return then true until while]]):gmatch "%a+" do
	keywords[word] = true
end

--- Whether a key can stand in front of "=" as it is.
---@param key string
function M.is_name(key)
	return key:match "^[%a_][%w_]*$" ~= nil and not keywords[key]
end

local escapes = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ['"'] = '\\"', ["\\"] = "\\\\" }

local function escape(c)
	return escapes[c] or ("\\%03d"):format(c:byte())
end

--- A quoted string: no \x and no \z, which Lua 5.1 does not know.
---@param s string
---@param ascii? boolean escape bytes above 127 too
function M.quote(s, ascii)
	return '"' .. s:gsub(ascii and '[%c"\\\127-\255]' or '[%c"\\\127]', escape) .. '"'
end

return M
