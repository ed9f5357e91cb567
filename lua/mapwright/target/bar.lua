--- mw.target.bar: a Beyond All Reason / Recoil map archive from a terrain.
local build = require "mapwright.build"
local cells = require "mapwright.cells"
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local metal = require "mapwright.target.bar_metal"
local opts = require "mapwright.opts"
local project = require "mapwright.project"
local schema = require "mapwright.schema.bar"
local suggest = require "mapwright.util.suggest"

local M = {}

local SQUARE, METAL_CELL, GRASS_CELL = 8, 16, 32 -- [unit: elmo] one sample or byte of the map

-- The table's value under a key whatever its case, as the engine looks it up.
local function key_of(info, name)
	for k, v in next, info do
		if type(k) == "string" and k:lower() == name:lower() then return v end
	end
	return nil
end

-- "info.X is not known (did you mean 'name'?); " where a required key is absent and one that the
-- engine does not know is near it, or "".
local function misspelt(info, name)
	if key_of(info, name) ~= nil then return "" end
	local known, strange = {}, {}
	for _, k in ipairs(require "mapwright.schema.mapinfo".names_in "") do known[k:lower()] = true end
	for k in next, info do
		if type(k) == "string" and not known[k:lower()] then strange[k] = true end
	end
	local near = suggest.nearest(name, strange)
	return near and ("info.%s is not known (did you mean '%s'?); "):format(near, name) or ""
end

local function check_info(info)
	if type(key_of(info, "name")) ~= "string" or key_of(info, "name") == "" then
		errors.fail("target.bar: %sinfo.name is required: without it the engine does not list the map",
			misspelt(info, "name"))
	end
	for _, name in ipairs { "maxMetal", "extractorRadius" } do
		local value = key_of(info, name)
		if type(value) ~= "number" then
			errors.fail("target.bar: %sinfo.%s is required and a number; the engine's default (%s) makes a"
				.. " map unplayable", misspelt(info, name), name, name == "maxMetal" and "0.02" or "500")
		end
	end
	for _, name in ipairs { "mapfile", "teams", "smf" } do
		if name ~= "smf" and key_of(info, name) ~= nil then
			errors.fail("target.bar: info.%s is written by the target; use '%s' instead", name,
				name == "teams" and "starts" or "out")
		end
	end
	require "mapwright.mapinfo.check" (info)
end

-- Starts of the target after those of the terrain, inside the map.
local function starts_of(o)
	local land, out = o.terrain, {}
	for _, at in ipairs(land.starts) do out[#out + 1] = at end
	for i, at in ipairs(o.starts or {}) do
		local known = false
		for _, other in ipairs(land.starts) do known = known or (other.x == at.x and other.z == at.z) end
		if at.x < 0 or at.x > land.width or at.z < 0 or at.z > land.depth then
			errors.fail("target.bar: start %d at (%s, %s) is outside the map (0..%d, 0..%d elmos)", i,
				opts.show(at.x), opts.show(at.z), land.width, land.depth)
		end
		if not known then out[#out + 1] = at end
	end
	return out
end

-- "out/twin_ridges.sd7" -> "twin_ridges", "sd7"
local function names_of(o)
	local base, kind = o.out:match "([^/]*)%.(%w+)$"
	kind = kind and kind:lower()
	if not base or base == "" or not (kind == "sd7" or kind == "sdz" or kind == "sdd") then
		errors.fail("target.bar: 'out' = '%s' must end in .sd7, .sdz or .sdd", o.out)
	end
	local name = o.map_name or base
	if name == "" or name:find "[/\\%z]" then
		errors.fail("target.bar: 'map_name' = '%s' must be a plain file name", name)
	elseif #name > 240 then
		errors.fail("target.bar: 'map_name' has %d bytes; a tile file's name may have 254", #name)
	end
	return name, kind
end

--- Declare the target.
---@param given mapwright.options.bar.target
function M.declare(given)
	local o = opts.check(schema.target, given)
	local name, kind = names_of(o)
	check_info(o.info)
	o.starts = starts_of(o)
	build.register {
		kind = "bar", out = o.out, path = project.output(o.out), at = errors.where(),
		options = o, name = name, container = kind, build = M.build,
	}
end

-- ---- the parts of the map --------------------------------------------------------------------

local function warn(id, fmt, ...)
	core.log.put("warning", id, fmt:format(...))
end

local number = core.base.number_text

-- Rounded to three digits behind the point.
local function short(v) return number(math.floor(v * 1000 + 0.5) / 1000) end

local function report_clip(clip, land)
	local n = clip.below + clip.above
	if n == 0 then return end
	local parts = {}
	if clip.above > 0 then
		parts[#parts + 1] = ("%d above %s, by up to %s, first at (%d, %d)"):format(clip.above,
			number(land.max_height), short(clip.worst_above), clip.above_at[1] * SQUARE,
			clip.above_at[2] * SQUARE)
	end
	if clip.below > 0 then
		parts[#parts + 1] = ("%d below %s, by up to %s, first at (%d, %d)"):format(clip.below,
			number(land.min_height), short(clip.worst_below), clip.below_at[1] * SQUARE,
			clip.below_at[2] * SQUARE)
	end
	warn("height-clipped", "%d height%s clipped: %s", n, n == 1 and "" or "s",
		table.concat(parts, "; "))
end

local function heights_of(land)
	local ok, words, clip = pcall(core.quantize.u16, land.height, land.min_height, land.max_height)
	if not ok then
		errors.raise("range", "height field: %s", type(words) == "table" and words.message or words)
	end
	report_clip(clip, land)
	return words
end

local function types_of(land, info)
	if #land.type_layers == 0 then return nil end
	local bytes = cells.bytes(cells.paint(land, land.type_layers, METAL_CELL, "type map"), "type map")
	local declared, used = key_of(info, "terrainTypes") or {}, {}
	for byte in bytes:gmatch "." do used[byte:byte()] = true end
	for index = 0, 255 do
		if used[index] and index > 0 and declared[index] == nil then
			warn("terraintype-undeclared", "the type map uses %d, which info.terrainTypes does not declare:"
				.. " the engine takes its defaults", index)
		end
	end
	return bytes
end

-- Density 0 is the byte 0; the rest is graded over 2..254 (1 and 255 mean something else).
local function grass_bytes(density)
	return (density:clamp(0, 1) * 252 + 2) * density:step(1 / 510)
end

local function grass_of(land)
	if #land.grass_layers == 0 then return nil end
	return cells.bytes(cells.paint(land, land.grass_layers, GRASS_CELL, "grass", grass_bytes),
		"grass map")
end

-- Features and vents with the ground's height beneath them.
local function placements(land)
	local out = {}
	for _, list in ipairs { land.vents, land.features } do
		for _, f in ipairs(list) do
			out[#out + 1] = { name = f.name, x = f.x, z = f.z, heading = f.heading,
				y = land.height:height_at(f.x, f.z) }
		end
	end
	return out
end

-- The same as the gadget of many maps reads them (mapconfig/featureplacer/set.lua).
local function placer_text(list)
	local out = { "local lists = {", "\tunitlist = {},", "\tbuildinglist = {},", "\tobjectlist = {" }
	for _, f in ipairs(list) do
		out[#out + 1] = ("\t\t{ name = %q, x = %s, z = %s, rot = \"%d\" },"):format(f.name:lower(),
			number(f.x), number(f.z), math.floor(f.heading + 0.5))
	end
	out[#out + 1] = "\t},\n}\n\nreturn lists\n"
	return table.concat(out, "\n")
end

-- Is a file one that this build makes, below a folder that it makes, or half made beside one?
local function made_here(path)
	for _, target in ipairs(project.targets) do
		local rest = path:sub(1, #target.path) == target.path and path:sub(#target.path + 1)
		if rest and (rest == "" or rest:find "^/" or rest:find "^%..*%.part") then return true end
	end
	return false
end

-- Path in the map of a file below a folder that is to be called `name` there.
local function name_below(name, folder, path)
	folder, name = project.clean(folder), name:gsub("/+$", "")
	if folder ~= "" then path = path:sub(#folder + 2) end
	return (name == "" or name == ".") and path or name .. "/" .. path
end

-- Entries of the further files: {name, path} rows. What the build makes is left out of folders, so
-- that a second build gives the same.
local function further_files(o, at)
	local out = {}
	local names = require "mapwright.util.ordered".keys(o.files or {})
	for _, name in ipairs(names) do
		local from = o.files[name]
		if type(name) ~= "string" or type(from) ~= "string" then
			errors.fail_at(at, "target.bar: 'files' maps paths in the map to project paths, both strings")
		end
		local full = project.input(from)
		local kind = core.fs.kind(full)
		if kind == "folder" then
			for _, path in ipairs(project.fs.list(from)) do
				local file = project.resolve(path)
				if not made_here(file) then
					out[#out + 1] = { name = name_below(name, from, path), path = project.input(path) }
				end
			end
		elseif kind == "file" then
			out[#out + 1] = { name = name, path = full }
		else
			errors.fail_at(at, "target.bar: 'files': no file or folder '%s'", from)
		end
	end
	for _, name in ipairs(require "mapwright.util.ordered".keys(o.texts or {})) do
		if type(o.texts[name]) ~= "string" then
			errors.fail_at(at, "target.bar: 'texts': '%s' must be a string", tostring(name))
		end
		out[#out + 1] = { name = name, bytes = o.texts[name] }
	end
	return out
end

-- mapinfo.lua's table: the script's keys and what only the target knows.
local function mapinfo_of(target)
	local info, teams = {}, {}
	for k, v in next, target.options.info do info[k] = v end
	info.mapfile = "maps/" .. target.name .. ".smf"
	if key_of(info, "modtype") == nil then info.modtype = 3 end
	for i, at in ipairs(target.options.starts) do
		teams[i - 1] = { startPos = { x = at.x, z = at.z } }
	end
	if next(teams) then info.teams = teams end
	return info
end

local quality_of = { fast = "fast", default = "normal", release = "best" }
local level_of = { fast = "fast", default = "normal", release = "release" }

--- Make the target. `run` is the build's {speed, may_write}.
function M.build(target, run)
	local o, lines = target.options, {}
	local land, items = o.terrain, {}
	local smf = {
		mapx = land.squares.x, mapy = land.squares.z, force_size = land.force_size,
		min_height = land.min_height, max_height = land.max_height,
		heights = heights_of(land), types = types_of(land, o.info), grass = grass_of(land),
		builtin_types = o.builtin_types,
	}
	if #o.starts == 0 then
		lines[#lines + 1] = "no start positions; land:start{ x = , z = } makes one"
	end
	smf.metal = metal.bytes(land, o.info, key_of, lines)
	local ground <close> = require "mapwright.ground".compile(land, {
		name = target.name, smt_split = o.smt_split, minimap = o.minimap, temp_beside = target.path,
		quality = o.quality or quality_of[run.speed],
	})
	smf.tile_files, smf.tile_index, smf.minimap = ground.tile_files, ground.tile_index, ground.minimap
	for _, file in ipairs(ground.files) do
		items[#items + 1] = { name = "maps/" .. file.name, path = file.path, bytes = file.bytes }
	end
	local placed = placements(land)
	if o.feature_placer then
		items[#items + 1] = { name = "mapconfig/featureplacer/set.lua", bytes = placer_text(placed) }
		items[#items + 1] = { name = "mapconfig/featureplacer/config.lua",
			bytes = 'return VFS.Include("mapconfig/featureplacer/set.lua")\n' }
	else
		smf.features = placed
	end
	items[#items + 1] = { name = "maps/" .. target.name .. ".smf",
		bytes = core.smf.from_level(smf):write(false, true) }
	items[#items + 1] = { name = "mapinfo.lua",
		bytes = require "mapwright.mapinfo.write" (mapinfo_of(target)) }
	for _, item in ipairs(further_files(o, target.at)) do items[#items + 1] = item end
	for _, f in ipairs(require "mapwright.mapinfo.lint".items(items)) do
		warn(f.id, "%s: %s", f.file, f.message)
	end
	run.may_write()
	core.archive.write(target.path, target.container, level_of[run.speed], items)
	local bytes = require "mapwright.util.size" (target.path)
	return { outputs = { { path = target.path, bytes = bytes } }, lines = lines }
end

return M
