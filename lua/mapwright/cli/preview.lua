--- `mapwright preview`: a picture of a finished map.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local term = require "mapwright.cli.term"
local textures = require "mapwright.util.textures"

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

local map_views = { "relief", "ground", "minimap" }
local level_views = { "top", "front", "side", "persp", "start" }

local function view_of(options, path, list)
	local view = options.view or list[1]
	for _, name in ipairs(list) do
		if name == view then return view end
	end
	errors.raise("invalid", "preview: --view %s does not go with %s; there is %s", view, path,
		table.concat(list, ", "))
end

-- Where pictures of textures are looked for when nobody says: beside the level.
local function pictures_of(options, path, scene)
	local folder = options.textures or path:match "^(.*)/[^/]*$" or "."
	return textures.pictures(textures.index(folder, not options.textures), scene)
end

-- A level of brushes: its row in mapwright.format knows how to make a scene of it.
local function level_picture(options, path, row, width, height)
	local view = view_of(options, path, level_views)
	local scene, compiled = row.load(path, { textures = options.textures })
	term.flush_warnings()
	local light = compiled and compiled:info().compiled and compiled:level().baked == 1
	if options.light and not light then
		errors.raise("invalid", "preview: --light: %s holds no baked light%s", path, compiled
			and " (bake_light = true of mw.target.hmap makes it)" or "")
	end
	-- a file without its source can show its compiled faces only
	if not options.light and not (compiled and not compiled:info().has_source) then compiled = nil end
	return (core.raster3d.draw(scene, view, width, height, compiled,
		pictures_of(options, path, scene)))
end

local all_views = { table.unpack(map_views) }
table.move(level_views, 1, #level_views, #map_views + 1, all_views)

return {
	summary = "draw a picture of a map or level",
	usage = "PATH -o FILE.png [--view NAME] [--size WxH] [--light] [--textures DIR]",
	operands = { 1, 1 },
	operand_name = "a map (.smf, .sdd, .sdz, .sd7) or a level of brushes (.map, .hmap)",
	options = {
		{ "-o", "--out", arg = "FILE.png", key = "out", required = true, pattern = "%.[pP][nN][gG]$",
			doc = "where the picture goes" },
		{ "--view", arg = "NAME", key = "view", enum = all_views,
			doc = "relief: heights, water and what stands there (default); ground: the same over\n"
				.. (" "):rep(29) .. "the map's own colours; minimap: the picture in the map.\n"
				.. (" "):rep(29) .. "Levels: top (default; cut open above the player start), front,\n"
				.. (" "):rep(29) .. "side, persp (from outside), start (as a player sees it)" },
		{ "--size", arg = "WxH", key = "size", pattern = "^%d+x?%d*$",
			check = function(text)
				local width = tonumber(text:match "^%d+")
				if width < 64 or width > 8192 then return text .. " is outside 64..8192 pixels" end
			end,
			doc = "width in pixels (1024); the height follows the map, for levels\n"
				.. (" "):rep(29) .. "where it is not given" },
		{ "--light", key = "light",
			doc = "draw the compiled faces of a .hmap in their baked light" },
		{ "--textures", arg = "DIR", key = "textures",
			doc = "folder of pictures for the materials of a level, looked through\n"
				.. (" "):rep(29) .. "with all below it; without: the pictures beside the level" },
	},
	run = function(options, operands)
		local width = tonumber((options.size or "1024"):match "^%d+")
		local path, image = operands[1]
		local known, row = pcall(require "mapwright.format".of, path)
		if known and row.load then
			local height = tonumber((options.size or ""):match "x(%d+)$") or 0
			if height ~= 0 and (height < 64 or height > 8192) then
				errors.raise("range", "preview: --size %s is outside 64..8192 pixels", options.size)
			end
			image = level_picture(options, path, row, width, height)
		else
			local map = require "mapwright.map".open(path)
			image = views[view_of(options, path, map_views)](map, width)
		end
		core.fs.sweep(options.out)
		core.fs.write(options.out, core.image.encode(image, 6))
		term.say("%s", options.out)
		return 0
	end,
}
