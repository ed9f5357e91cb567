--- `mapwright preview`: a picture of a finished map.
local core = require "mapwright.core"
local term = require "mapwright.cli.term"

local METAL_FIELD = 4000 -- more cells than this in one patch are an ore field, not a spot

local function marks_of(map)
	local maps, marks = require "mapwright.map", {}
	for _, f in ipairs(map.smf:features()) do
		local vent = f.name and f.name:lower():find("geovent", 1, true)
		marks[#marks + 1] = { kind = vent and "vent" or "feature", x = f.x, z = f.z }
	end
	for _, patch in ipairs(maps.metal_patches(map)) do
		if patch.cells <= METAL_FIELD then
			marks[#marks + 1] = { kind = "metal", x = patch.x, z = patch.z }
		end
	end
	for i, at in ipairs(maps.starts(map)) do
		marks[#marks + 1] = { kind = "start", x = at.x, z = at.z, label = i }
	end
	return marks
end

local function title_of(map)
	local info, maps = map.smf:info(), require "mapwright.map"
	local low, high = maps.height_range(map)
	local name = map.info and map.info.name or map.smf_name:match "([^/]*)%.%w+$"
	return ("%s  %gx%g  %g..%g"):format(name, info.mapx / 64, info.mapy / 64, low, high)
end

local views = {}

function views.relief(map, width)
	return core.view.relief(require "mapwright.map".heights(map), width, {
		marks = marks_of(map), title = title_of(map), contour = 50,
		void_water = map.info and map.info.voidwater == true,
	})
end

function views.minimap(map)
	-- the first of its levels: 256 x 256 blocks of 8 bytes
	return core.dxt1.decode(map.smf:grid "minimap":sub(1, 8 * 256 * 256), 1024, 1024)
end

function views.ground(map, width)
	local minimap = views.minimap(map)
	return core.view.relief(require "mapwright.map".heights(map), width, {
		ground = minimap, marks = marks_of(map), title = title_of(map),
	})
end

return {
	summary = "draw a picture of a map",
	usage = "PATH -o FILE.png [--view relief|ground|minimap] [--size WxH]",
	operands = { 1, 1 },
	operand_name = "a map (.smf, .sdd, .sdz, .sd7)",
	options = {
		{ "-o", "--out", arg = "FILE.png", key = "out", required = true, pattern = "%.[pP][nN][gG]$",
			doc = "where the picture goes" },
		{ "--view", arg = "NAME", key = "view", enum = { "relief", "ground", "minimap" },
			doc = "relief: heights, water and what stands there (default); ground: the same over\n"
				.. (" "):rep(29) .. "the map's own colours; minimap: the picture in the map" },
		{ "--size", arg = "WxH", key = "size", pattern = "^%d+x?%d*$",
			check = function(text)
				local width = tonumber(text:match "^%d+")
				if width < 64 or width > 8192 then return text .. " is outside 64..8192 pixels" end
			end,
			doc = "width in pixels (1024); the height follows the map" },
	},
	run = function(options, operands)
		local width = tonumber((options.size or "1024"):match "^%d+")
		local map = require "mapwright.map".open(operands[1])
		local image = views[options.view or "relief"](map, width)
		core.fs.sweep(options.out)
		core.fs.write(options.out, core.image.encode(image, 6))
		term.say("%s", options.out)
		return 0
	end,
}
