--- The ground's texture: what land:ground was given, made into layers, and its compile into tile
--- files, tile index and minimap. Conditions on height and slope look at the ground as it is when
--- the map is built.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local opts = require "mapwright.opts"
local picture = require "mapwright.util.picture"
local schema = require "mapwright.schema.ground"
local source = require "mapwright.source"

local M = {}

local TEXELS = 8 -- a square
local SLOPE_SOFTEN, HEIGHT_SOFTEN = 8, 20
local ROUGH = { period = 150, octaves = 4, amplitude = 1, name = "ground edges" }
local GRAIN = { period = 12, octaves = 3, gain = 0.8, amplitude = 0.6, name = "ground grain" }

-- What a land without land:ground looks like: one colour where it is flat and dry.
local plain = { grass = "#66753f", rock = "#7d756a", sand = "#b9a97a", sand_below = -4, rough = 0 }

-- ---- options --------------------------------------------------------------------------------

-- A missing picture is told at once, at its line.
local function check_file(what, given)
	if type(given) == "string" and core.fs.kind(picture.file(given)) ~= "file" then
		errors.fail("%s: no picture '%s'", what, given)
	end
end

local function layer_of(given, what, common)
	local o = opts.check(schema.layer, given, what)
	if (o.texture ~= nil) == (o.color ~= nil) then
		errors.fail("%s: give one of 'texture' and 'color'%s", what,
			o.texture and ", not both" or "")
	end
	check_file(what, o.texture)
	o.scale = not o.stretch and (o.scale or common.scale) or 0
	o.blend = o.blend or common.blend
	o.rough = o.rough or common.rough
	o.grain = o.grain or common.grain
	if o.tint_mask and not (type(o.tint) == "table" and not getmetatable(o.tint)) then
		errors.fail("%s: 'tint_mask' needs a colour as 'tint'", what)
	end
	return o
end

-- A shorthand's value as the options of a layer.
local function named_layer(o, name, where)
	local v = o[name]
	if v == nil then return nil end
	local given = {}
	if type(v) == "table" and not getmetatable(v) and #v == 0 then
		for k, value in next, v do given[k] = value end
	elseif type(v) == "table" and #v == 3 then
		given.color = v
	else
		given.texture = v
	end
	for k, value in next, where do
		if given[k] == nil then given[k] = value end
	end
	return layer_of(given, "ground: " .. name, o)
end

local function layers_of(o)
	local out = {}
	local function add(layer) out[#out + 1] = layer end
	add(named_layer(o, "grass", {}))
	add(named_layer(o, "dirt", { slope_above = o.dirt_slope }))
	add(named_layer(o, "sand", { below = o.sand_below }))
	add(named_layer(o, "rock", { slope_above = o.rock_slope }))
	if o.snow ~= nil and not o.snow_above then
		errors.fail("ground: 'snow' needs 'snow_above'")
	end
	add(named_layer(o, "snow", { above = o.snow_above }))
	for i, given in ipairs(o.layers or {}) do
		add(layer_of(given, ("ground: layers[%d]"):format(i), o))
	end
	return out
end

local function entry(given)
	local o = opts.check(schema.ground, given)
	check_file("ground", o.picture)
	if o.picture and o.color then
		errors.fail("ground: give one of 'picture' and 'color', not both")
	end
	if o.sun[2] <= 0 then
		errors.fail("ground: 'sun' must stand above the horizon, up is %s", opts.show(o.sun[2]))
	end
	local water = o.minimap_water
	if type(water) == "table" then water = opts.check(schema.water, water, "ground: minimap_water") end
	return {
		at = errors.where(), picture = o.picture, color = o.color, layers = layers_of(o),
		shade = o.shade, sun = o.sun, share = o.share_tiles, water = water,
	}
end

--- Note what land:ground was given. Further calls lay their layers over the earlier ones; of the
--- other options the last call's count.
function M.set(land, given)
	land.ground_layers[#land.ground_layers + 1] = entry(given)
end

-- ---- masks ----------------------------------------------------------------------------------

-- What conditions of all layers share, so that it is computed once a texel.
local function conditions(land)
	local made = {}
	local function once(name, make)
		return function()
			made[name] = made[name] or make()
			return made[name]
		end
	end
	return {
		height = once("height", function() return source.of(land.height) end),
		slope = once("slope", function() return source.of(land:slope()) end),
		noise = once("noise", function() return source.noise.gradient(ROUGH) end),
		grain = once("grain", function() return source.noise.gradient(GRAIN) end),
	}
end

-- From 0 to 1 around a threshold, its edge moved by noise.
local function edge(value, at, soften, rough, shared)
	if rough > 0 and soften > 0 then value = value + shared.noise() * (rough * soften) end
	if soften == 0 then return value:step(at) end
	return value:smoothstep(at - soften / 2, at + soften / 2)
end

local function mask_of(o, shared)
	local mask = o.mask and source.of(o.mask)
	local function also(condition) mask = mask and mask * condition or condition end
	local function both(name, above, below, soften)
		if above then also(edge(shared[name](), above, soften, o.rough, shared)) end
		if below then also(1 - edge(shared[name](), below, soften, o.rough, shared)) end
	end
	both("slope", o.slope_above, o.slope_below, o.soften or SLOPE_SOFTEN)
	both("height", o.above, o.below, o.soften or HEIGHT_SOFTEN)
	return mask
end

-- ---- compiling ------------------------------------------------------------------------------

-- Run f; what it raises is told at the line of the land:ground it belongs to.
local function at_line(at, f, ...)
	local results = table.pack(pcall(f, ...))
	if results[1] then return table.unpack(results, 2, results.n) end
	local problem = results[2]
	errors.fail_at(at, "%s", type(problem) == "table" and problem.message or tostring(problem))
end

-- What a picture is called in a message.
local function name_of(given)
	local path = type(given) == "string" and given or picture.label(given)
	return path and ("'%s'"):format(path) or "an image"
end

-- clear: list that is filled with the names of pictures whose alpha is left out.
local function core_layer(o, shared, textures, clear)
	local out = { color = o.color, scale = o.scale, second_scale = o.second_scale,
		opacity = o.opacity, blend = o.texture and o.blend or 0, mask = mask_of(o, shared) }
	if o.texture then
		if not textures[o.texture] then
			textures[o.texture] = picture.colour_of("ground texture", o.texture)
			if core.image.has_alpha(textures[o.texture]) then clear[#clear + 1] = name_of(o.texture) end
		end
		out.image = textures[o.texture]
	end
	if o.grain > 0 then out.shade = 1 + shared.grain() * o.grain end
	local class = getmetatable(o.tint)
	if class then
		local tint = 1 + source.of(o.tint) * o.tint_strength
		out.shade = out.shade and out.shade * tint or tint
	elseif o.tint then
		out.tint = o.tint
		out.tint_mask = o.tint_mask and source.of(o.tint_mask)
	end
	return out
end

-- The picture beneath, as the core takes it: large PNG files are read while they are used.
local function base_picture(given, spec)
	if type(given) ~= "string" then return core.image.to_colour(given) end
	local path = picture.file(given)
	local _, w, h = core.image.probe_file(path)
	if w ~= spec.w or h ~= spec.h then
		core.log.put("warning", "ground-picture-size",
			("the ground picture '%s' is %dx%d and is scaled to %dx%d"):format(given, w, h,
				spec.w, spec.h))
	end
	return path
end

---@class mapwright.compiled_ground
---@field tile_files {name: string, count: integer}[]
---@field files {name: string, path: string}[] tile files to be packed, gone after close
---@field tile_index string
---@field minimap string
local Compiled = {}
Compiled.__index = Compiled

--- Remove the tile files.
function Compiled:close()
	core.ground.close(self.core)
end
Compiled.__close = Compiled.close

local function names_of(files, name)
	for i, file in ipairs(files) do
		file.name = #files == 1 and name .. ".smt" or ("%s_%d.smt"):format(name, i)
	end
	return files
end

--- Compose, encode and deduplicate the ground of a terrain.
---@param land mapwright.terrain
---@param o table {name, temp_beside, smt_split?, minimap?, quality?}
---@return mapwright.compiled_ground
function M.compile(land, o)
	local entries = land.ground_layers
	if #entries == 0 then entries = { entry(plain) } end
	local last = entries[#entries]
	local spec = {
		w = land.squares.x * TEXELS, h = land.squares.z * TEXELS, seed = land.seed,
		path = ("%s.%s.smt"):format(o.temp_beside, o.name), split = o.smt_split,
		quality = o.quality, share = last.share, layers = {}, heights = land.height,
		water = last.water and true or false,
	}
	if type(last.water) == "table" then
		spec.water_look = last.water
		spec.water_look.half = last.water.depth
	end
	local shared, textures, clear, base = conditions(land), {}, {}, nil
	for _, e in ipairs(entries) do
		at_line(e.at, function()
			if e.picture then
				spec.picture, spec.color, base = base_picture(e.picture, spec), nil, e.picture
			elseif e.color then
				spec.picture, spec.color, base = nil, e.color, nil
			end
			for _, layer in ipairs(e.layers) do
				spec.layers[#spec.layers + 1] = core_layer(layer, shared, textures, clear)
			end
			if e.shade > 0 then spec.sun, spec.light = e.sun, e.shade end
		end)
	end
	if o.minimap then spec.minimap = picture.colour_of("minimap", o.minimap) end
	local made, picture_clear = at_line(last.at, core.ground.compile, spec)
	if picture_clear then table.insert(clear, 1, name_of(base)) end
	if clear[1] then
		core.log.put("warning", "ground-alpha-dropped",
			("the ground has no alpha: that of %s is left out"):format(table.concat(clear, ", ")))
	end
	local files = names_of(core.ground.files(made), o.name)
	local tile_files = {}
	for i, file in ipairs(files) do tile_files[i] = { name = file.name, count = file.count } end
	return setmetatable({ core = made, files = files, tile_files = tile_files,
		tile_index = core.ground.index(made), minimap = core.ground.minimap(made) }, Compiled)
end

return M
