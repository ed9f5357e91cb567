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
