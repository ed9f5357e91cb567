--- Trees over brushes: which brushes are at a point, and what a ray or a moved box runs into.
---   local tree = mw.bsp.build{ brushes = walls }
local contents = require "mapwright.contents"
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local opts = require "mapwright.opts"
local schema = require "mapwright.schema.brush"

local M = {}

---@class mapwright.bsp
local Tree = { __name = "mapwright.bsp" }
require "mapwright.util.classes".tree = Tree

function Tree.__index(_, name)
	local method = Tree[name]
	if method ~= nil then return method end
	errors.fail("bsp: no field or method '%s'%s", tostring(name),
		require "mapwright.util.suggest" (name, Tree))
end

--- Build a tree. The answers are those of testing every brush, whatever the options.
---@return mapwright.bsp
function M.build(given)
	local o = opts.check(schema.bsp, given)
	return setmetatable({ raw = core.bsp.build(o.brushes.raw, o.leaf_size, o.max_depth),
		brushes = o.brushes }, Tree)
end

--- Contents at a point, the number of the first brush there or nil, and how many were tested.
---@param at number[] {x, y, z}
---@return string[] names, integer? brush, integer tested
function Tree:contents_at(at)
	local p = opts.value({ type = "triple" }, at, "contents_at")
	local bits, tested, brush = self.raw:contents(p[1], p[2], p[3])
	return contents.names(bits), brush, tested
end

local function hit(self, from, to, half, mask, what)
	local t, brush, inside, nx, ny, nz = self.raw:sweep(from[1], from[2], from[3], to[1], to[2],
		to[3], half[1], half[2], half[3], contents.bits(mask, what))
	if not brush then return nil end
	local at = {}
	for i = 1, 3 do at[i] = from[i] + (to[i] - from[i]) * t end
	return { t = t, brush = brush, inside = inside, at = at, normal = nx and { nx, ny, nz } or nil }
end

--- First hit {t, brush, inside, at, normal} of a ray, or nil.
function Tree:ray(given)
	local o = opts.check(schema.ray, given)
	return hit(self, o.from, o.to, { 0, 0, 0 }, o.mask, "ray")
end

--- First hit of a box moved along a line, or nil.
function Tree:sweep(given)
	local o = opts.check(schema.sweep, given)
	return hit(self, o.from, o.to, o.half, o.mask, "sweep")
end

--- {depth, nodes, leaves, items, most}: of the tree.
function Tree:stats() return self.raw:stats() end

--- The tree as tables: {plane = {nx, ny, nz, d}, front =, back =} or {brushes = {numbers}}.
function Tree:split()
	local function walk(link)
		if link < 0 then return { brushes = self.raw:node(link) } end
		local nx, ny, nz, d, front, back = self.raw:node(link)
		return { plane = { nx, ny, nz, d }, front = walk(front), back = walk(back) }
	end
	return walk(self.raw:root())
end

require "mapwright.util.guard" (Tree, "mapwright.bsp")

return M
