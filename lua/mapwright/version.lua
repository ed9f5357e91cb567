--- Version of the program and of what is linked into it.
local base = require "mapwright.core".base

local M = {}

--- {name, version} rows, the program first.
M.linked = base.versions()
--- "0.1.0"
M.version = M.linked[1][2]

return M
