--- Checks of the terrain file and its tile files.
local core = require "mapwright.core"

local M = {}

local TILE, TILE_HEADER = 680, 32
local MOST_TILE_BYTES = 256 << 20 -- of a tile file that is looked through
local MOST_PACKED = 4 << 20 -- of one in a .sd7

--- The terrain file of a site, or nil: {smf, findings, info, file, folder, ground(x, z), ...}.
--- A second result is the failure when there is one but it is none.
function M.open(site, wanted)
	local low = wanted and site.real[wanted] and wanted or site.smfs[1]
	if not low then return nil end
	local ok, smf, findings = pcall(function() return core.smf.read(site.read(low),
		site.real[low]) end)
	if not ok then return nil, { file = site.real[low], message = tostring(smf.message or smf) } end
	local map = { smf = smf, findings = findings, info = smf:info(), file = site.real[low], low = low,
		folder = site.real[low]:match "^(.*/)" or "" }
	map.width, map.depth = map.info.mapx * 8, map.info.mapy * 8
	map.has_heights = smf:stats "height" ~= nil
	function map.ground(x, z) return smf:ground_at(x, z) end
	function map.metal()
		if map.metal_read == nil then map.metal_read = table.pack(smf:grid "metal") end
		return table.unpack(map.metal_read, 1, 3)
	end
	function map.used_types()
		local bytes = smf:grid "type"
		if not bytes then return nil end
		local used = {}
		for k = 0, 255 do used[k] = bytes:find(string.char(k), 1, true) ~= nil end
		return used
	end
	return map
end

local function grids(c, map)
	local at = { file = map.file }
	local bytes, width, depth = map.smf:grid "height"
	local stats = map.smf:stats "height"
	if bytes and stats and stats.distinct > 1 then
		local n = width * depth
		local low, high = core.mapinfo.count16(bytes, 0), core.mapinfo.count16(bytes, 65535)
		if low + high > n // 100 and (low > n // 100 or high > n // 100) and stats.distinct > 16 then
			c.report("height-clipped", at,
				"%.1f %% of the heights are at the low end and %.1f %% at the high"
				.. " end: what went beyond was cut off flat", low * 100 / n, high * 100 / n)
		end
		if stats.distinct > 16 and stats.distinct <= 256 then
			c.report("height-8bit", at, "there are %d different heights: they come from a picture of 8 bits,"
				.. " slopes become stairs", stats.distinct)
		end
	end
	local minimap = map.smf:grid "minimap"
	if minimap and #minimap >= 524288 then
		local first = minimap:sub(1, 8)
		if minimap:sub(1, 524288) == first:rep(65536) then
			c.report("minimap-blank", at, "the minimap is of one colour")
		end
		local holes = core.mapinfo.see_through(minimap, 0, 65536)
		if holes > 0 then
			c.report("minimap-stretched-alpha", at, "%d blocks of the minimap have see-through texels",
				holes)
		end
	end
	if map.info.mapx > 2048 or map.info.mapy > 2048 then
		c.report("bar-map-too-big", at, "the map is %d x %d units, BAR takes up to 32",
			map.info.mapx // 64,
			map.info.mapy // 64)
	end
end

-- Names of the features that the map itself defines, in lower case.
local function defined(c)
	local out = {}
	for _, low in ipairs(c.site.names) do
		if low:match "^features/[^/]*%.lua$" or low:match "^features/.*%.lua$" then
			local info, failure = core.mapinfo.run(c.site.read(low), c.site.real[low], c.site.names,
				c.site.read, {}, {})
			if not info and (failure.kind == "steps" or failure.kind == "memory") then break end
			for name in next, info or {} do
				if type(name) == "string" then out[name:lower()] = true end
			end
		end
	end
	return out
end

local function features(c, map)
	local at = { file = map.file }
	local list, names = map.smf:features(), map.smf:feature_types()
	local used, degrees, turned = {}, 0, 0
	for _, f in ipairs(list) do
		used[f.type] = (used[f.type] or 0) + 1
		if f.rotation ~= 0 then turned = turned + 1 end
		if f.rotation ~= 0 and math.abs(f.rotation) <= 360 then degrees = degrees + 1 end
	end
	if turned >= 3 and degrees == turned then
		c.report("feature-rotation-degrees", at,
			"all %d rotations are within 360: a full turn is 65536, so"
			.. " these are headings of two degrees at most", turned)
	end
	local own, asked
	for i, name in ipairs(names) do
		local low = name:lower()
		local builtin = low:match "^treetype1?%d$" or low == "geovent"
		if not builtin and (low:find "treetype" or low:find "geovent") then
			c.report("feature-name-builtin", at,
				"the feature type '%s' holds '%s': the engine takes it for its"
				.. " own", name, low:find "treetype" and "treetype" or "geovent")
		elseif not builtin and used[i - 1] and c.site.whole and not c.site.only_smf then
			own = own or defined(c)
			if not own[low] and not asked then
				asked = true
				c.report("feature-unknown", at,
					"the map does not define the feature '%s' (%d placed): unless the"
					.. " game does, it is left out", name, used[i - 1])
			end
		end
	end
end

-- Findings about the counts of a tile file of this size.
local function counts(c, at, declared, size, findings)
	local present = (size - TILE_HEADER) // TILE
	for _, f in ipairs(findings) do
		if f.rule ~= "smt-short" and f.rule ~= "smt-count" and f.rule ~= "smt-trailing" then
			c.report(f.rule, { file = at.file, offset = f.offset }, "%s", f.message)
		end
	end
	if declared ~= present then
		c.report("smt-count", { file = at.file, offset = 20 },
			"the header says %d tiles, the file has %d:"
			.. " the engine goes by the .smf, other tools by this number", declared, present)
	end
	local rest = size - TILE_HEADER - present * TILE
	if rest > 0 then
		c.report("smt-trailing", { file = at.file, offset = size - rest },
			"%d bytes behind the last whole tile",
			rest)
	end
	return present
end

-- Of a .sd7, whose unpacking takes long, only the beginning of a tile file is looked through.
local function tiles_of(c, map, low, count)
	local size = c.site.size(low)
	local at = { file = c.site.real[low] }
	local most = c.site.kind == "sd7" and MOST_PACKED or MOST_TILE_BYTES
	local bytes = size and c.site.head(low, most)
	if not bytes then return end
	local ok, smt, findings = pcall(core.smt.read, bytes, c.site.real[low])
	if not ok then
		c.report("smt-header", at, "%s: the engine refuses the map", tostring(smt.message or smt))
		return
	end
	local present = counts(c, at, smt.declared, size, findings)
	if present < count then
		c.report("smt-short", at, "the file has %d tiles, %s takes %d from it: the rest is black",
			present,
			map.file, count)
	end
	if not c.voidground then
		local seen = (#bytes - TILE_HEADER) // TILE
		local holes = core.mapinfo.see_through(bytes, TILE_HEADER, seen * (TILE // 8))
		if holes > 0 then
			c.report("tile-alpha", at, "%d blocks of its %s%d tiles have see-through texels, which are holes"
				.. " only with voidGround", holes, seen < present and "first " or "", seen)
		end
	end
end

local function tiles(c, map)
	local site = c.site
	for i, file in ipairs(map.smf:tile_files()) do
		local override = c.smt_override and c.smt_override[i]
		local given = file.name:gsub("\\", "/")
		local low = override or (map.folder .. given):lower()
		if not site.real[low] and site.real[given:lower()] then low = given:lower() end
		if not site.real[low] then
			if site.whole or site.only_smf then
				local there = {}
				for known, real in pairs(site.real) do
					if known:match "%.smt$" then there[#there + 1] = real end
				end
				table.sort(there)
				c.report("smt-missing", { file = map.file }, "the tile file '%s' is not there%s: its %d tiles"
					.. " are red", file.name,
					there[1] and " (" .. table.concat(there, ", ") .. " is)" or "", file.count)
			end
		else
			local real = site.real[low]
			if not override and real ~= map.folder .. given then
				c.report("smt-case", { file = map.file }, "the tile file '%s' is '%s': the engine finds it,"
					.. " other tools may not", file.name, real)
			end
			tiles_of(c, map, low, file.count)
		end
	end
	local used = map.smf:tiles_used()
	if used > 0 and used < map.info.num_tiles then
		c.report("tile-unused", { file = map.file }, "%d of %d tiles are used by no cell",
			map.info.num_tiles - used, map.info.num_tiles)
	end
end

function M.run(c)
	if c.map_failure then
		c.report("smf-header", { file = c.map_failure.file }, "%s: the engine refuses the map",
			c.map_failure.message)
		return
	end
	local map = c.map
	if not map then return end
	for _, f in ipairs(map.findings) do
		c.report(f.rule, { file = map.file, offset = f.offset }, "%s", f.message,
			{ severity = f.level })
	end
	grids(c, map)
	features(c, map)
	tiles(c, map)
end

return M
