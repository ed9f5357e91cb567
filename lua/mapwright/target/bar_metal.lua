--- The metal map: painted layers, then the domes of the spots, with a report of what each gives.
local cells = require "mapwright.cells"
local core = require "mapwright.core"
local errors = require "mapwright.errors"

local M = {}

local METAL_CELL = 16 -- [unit: elmo]

-- The core names a spot by its number; the script knows it by its line.
local function with_line(land, problem)
	local message = type(problem) == "table" and problem.message or tostring(problem)
	local n = tonumber(message:match "spot (%d+)")
	local spot = n and land.spots[n]
	if not spot then error(problem, 0) end
	errors.fail_at(spot.at, "metal_spot: %s", message)
end

-- Rows of what spots give; all of them with -v, a summary otherwise.
local function report(land, sites, overlaps, lines)
	local term = require "mapwright.cli.term"
	local least, most = math.huge, 0
	for _, site in ipairs(sites) do
		least, most = math.min(least, site.metal), math.max(most, site.metal)
	end
	local range = most - least < 0.005 and ("%.2f each"):format(most)
		or ("%.2f to %.2f"):format(least, most)
	local shared = ""
	if #overlaps > 0 then
		shared = (", %d pair%s within each other's reach%s"):format(#overlaps,
			#overlaps == 1 and "" or "s", term.verbose and "" or " (-v lists all)")
	end
	lines[#lines + 1] = ("%d metal spot%s, %s metal per second%s"):format(#sites,
		#sites == 1 and "" or "s", range, shared)
	if not term.verbose then return end
	lines[#lines + 1] = "  spot        x        z   asked   alone   gives"
	for i, site in ipairs(sites) do
		lines[#lines + 1] = ("  %4d %8g %8g %7.3f %7.3f %7.3f"):format(i, site.x, site.z,
			land.spots[i].metal, site.alone, site.metal)
	end
	for _, pair in ipairs(overlaps) do
		lines[#lines + 1] = ("  %d and %d share %d cells: %d gets %.3f of %d's, %d gets %.3f of %d's")
			:format(pair.a, pair.b, pair.cells, pair.a, pair.a_gets, pair.b, pair.b, pair.b_gets, pair.a)
	end
end

-- The symmetry that the set of spots has, so that what rounding leaves over is laid symmetrically.
local function symmetry_of(land)
	local function key(x, z, spot)
		return ("%.17g %.17g %.17g %.17g %s"):format(x, z, spot.metal, spot.radius, tostring(spot.snap))
	end
	local known = {}
	for _, spot in ipairs(land.spots) do known[key(spot.x, spot.z, spot)] = true end
	for _, kind in ipairs { "x", "z", "point" } do
		local whole = true
		for _, spot in ipairs(land.spots) do
			local x = kind == "z" and spot.x or land.width - spot.x
			local z = kind == "x" and spot.z or land.depth - spot.z
			whole = whole and known[key(x, z, spot)]
		end
		if whole then return kind end
	end
	return "none"
end

--- Metal bytes of the map; lines for people are appended to `lines`.
function M.bytes(land, info, key_of, lines)
	local w, h = land.width // METAL_CELL, land.depth // METAL_CELL
	local bytes
	if #land.metal_layers > 0 then
		bytes = cells.bytes(cells.paint(land, land.metal_layers, METAL_CELL, "metal"), "metal map")
	end
	if #land.spots == 0 then return bytes end
	bytes = bytes or ("\0"):rep(w * h)
	local ok, result, sites, overlaps = pcall(core.metal.domes, bytes, w, h, land.spots,
		key_of(info, "maxMetal"), key_of(info, "extractorRadius"), symmetry_of(land), 0)
	if not ok then with_line(land, result) end
	report(land, sites, overlaps, lines)
	return result
end

return M
