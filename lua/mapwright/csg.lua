--- Cutting and joining of brushes as functions: mw.csg.subtract(a, b) is a:subtract(b). Exact:
--- pieces lie on planes that were there, and volumes add up.
local brush = require "mapwright.brush"

local M = {}

--- a without b.
function M.subtract(a, b) return brush.operand(a, "csg.subtract"):subtract(b) end

--- What a and b share.
function M.intersect(a, b) return brush.operand(a, "csg.intersect"):intersect(b) end

--- a and b together, as pieces that do not overlap.
function M.union(a, b) return brush.operand(a, "csg.union"):union(b or brush.empty()) end

--- Walls inside each brush of a.
function M.hollow(a, wall) return brush.operand(a, "csg.hollow"):hollow(wall) end

--- Pieces joined where that is exact.
function M.merge(a) return brush.operand(a, "csg.merge"):merge() end

--- Volume of what a fills.
function M.volume(a) return brush.operand(a, "csg.volume"):volume() end

return M
