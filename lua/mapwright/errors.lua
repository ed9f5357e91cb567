--- Raising with the user's own file and line: never a magic stack level, but the first frame that
--- is not the library's (its chunks are all named "=mapwright/...").
local base = require "mapwright.core".base

local M = {}

--- "build.lua:12" of the user's code, or "".
M.where = base.where

--- Raise a message at the user's line.
---@param fmt string as for string.format
function M.fail(fmt, ...)
	local at = base.where()
	local text = select("#", ...) > 0 and fmt:format(...) or fmt
	error(at ~= "" and at .. ": " .. text or text, 0)
end

--- Raise a message at a line remembered earlier (a target's declaration).
function M.fail_at(at, fmt, ...)
	local text = select("#", ...) > 0 and fmt:format(...) or fmt
	error(at and at ~= "" and at .. ": " .. text or text, 0)
end

--- Raise an error object as the core does, for failures of the outside world.
---@param code "io"|"format"|"range"|"unsupported"|"limit"|"invalid"
function M.raise(code, fmt, ...)
	base.fail(code, fmt:format(...))
end

-- Whether a message says where it stands.
local function placed(text)
	return text:find "^[^\n:]+:%d+: " ~= nil
end
M.placed = placed

--- Message handler for xpcall, which runs while the stack still stands: what was raised as a text
--- at the user's line, never at one of the library's. Error objects of the core pass.
function M.settle(problem)
	local text = problem
	if type(problem) == "table" then
		local meta = getmetatable(problem)
		if type(meta) == "table" and meta.__name == "mapwright.error" then return problem end
		text = rawget(problem, "message")
		if type(meta) == "table" and meta.__tostring then
			local ok, said = pcall(tostring, problem)
			text = ok and said or text
		end
	end
	if type(text) ~= "string" then
		text = ("an error without a message was raised (%s)"):format(
			require "mapwright.opts".show(problem))
	end
	local at = base.where()
	if at ~= "" then
		text = text:gsub("^mapwright[%w_/]*%.lua:%d+: ", "")
		if not placed(text) then text = at .. ": " .. text end
	end
	-- assert and error put the line in front once more
	local place, rest = text:match "^([^\n:]+:%d+: )(.*)$"
	return place and rest:sub(1, #place) == place and rest or text
end

--- A `try_` twin: the function's results, or nil and the error object. Misuse still raises.
function M.try(fn)
	return function(...)
		local results = table.pack(pcall(fn, ...))
		if results[1] then return table.unpack(results, 2, results.n) end
		if type(results[2]) == "table" then return nil, results[2] end
		error(results[2], 0)
	end
end

return M
