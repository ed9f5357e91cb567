--- Bytes of a file, or of all files below a folder.
local core = require "mapwright.core"
local lfs = require "lfs"

local function size(path)
	if core.fs.kind(path) ~= "folder" then return lfs.attributes(path, "size") or 0 end
	local total = 0
	for _, name in ipairs(core.fs.list(path)) do total = total + size(path .. "/" .. name) end
	return total
end

return size
