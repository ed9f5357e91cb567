--- .map files: what `info` and `dump` show.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local leak = require "mapwright.format.leak"
local schema = require "mapwright.schema.quake_map"
local text = require "mapwright.format.text"
local textures = require "mapwright.util.textures"

local M = { name = "qmap", title = "Quake-family level", extensions = { ".map" },
	settings = schema.convert, reading = schema.read }

--- Read a level text. With errors in the text there is no level: they are among the findings.
---@param path string
---@return userdata model, table[] findings
function M.read(path)
	return core.qmap.read(core.fs.read(path), path)
end

--- The first error among findings, or nil.
function M.first_error(findings)
	for _, f in ipairs(findings) do
		if f.level == "error" then return f end
	end
	return nil
end

--- Read a level text or raise what is wrong with it, all errors in one message.
function M.must_read(path)
	local model, findings = M.read(path)
	local lines = {}
	for _, f in ipairs(findings) do
		if f.level == "error" then
			lines[#lines + 1] = ("%s:%d:%d: %s"):format(path, f.line, f.col, f.message)
		end
	end
	if lines[1] then errors.raise("format", "%s", table.concat(lines, "\n")) end
	return model, findings
end

local function bounds(solids)
	if not solids.min then return {} end
	return { min = solids.min, max = solids.max, __keys = { "min", "max" } }
end

local function append(to, from)
	return table.move(from, 1, #from, #to + 1, to)
end

-- What a writer could not express, in words.
local nouns = {
	{ "patches", "patch", "patches" },
	{ "raw", "primitive that is not understood", "primitives that are not understood" },
	{ "extras", "face's surface flags", "faces' surface flags" },
	{ "skewed", "face's slanted texture axes", "faces' slanted texture axes" },
	{ "planes", "face moved by rounding", "faces moved by rounding" },
	{ "flat", "face without a plane", "faces without a plane" },
	{ "names", "texture name's blanks", "texture names' blanks" },
	{ "values", "value changed for want of an escape", "values changed for want of an escape" },
}

local function losses_of(lost, out)
	for _, row in ipairs(nouns) do
		if lost[row[1]] > 0 then
			out[#out + 1] = { one = row[2], many = row[3], count = lost[row[1]] }
		end
	end
	if lost.moved > 0 then
		local by = (" moved by up to %.6g"):format(lost.moved_by)
		out[#out + 1] = { one = "face" .. by, many = "faces" .. by, count = lost.moved }
	end
	return out
end

local function written(model, settings, losses)
	local bytes, lost = model:write(settings.dialect, settings.decimals,
		settings.quote_textures == false, settings.comments == false)
	return bytes, losses_of(lost, losses)
end

--- Read a level text as a scene of the core. What is odd about it goes to the log.
---@param path string
---@param settings? table rows of schema.read
function M.load(path, settings)
	local o = settings or {}
	local model <close>, findings = M.must_read(path)
	local sizes = o.textures and textures.sizes(o.textures, model:textures())
	local scene, more = model:scene(o.source_units_per_metre, o.source_axes,
		o.scene_units_per_metre, o.patch_steps, sizes)
	for _, list in ipairs { findings, more } do
		for _, f in ipairs(list) do
			core.log.put("warning", f.rule, ("%s:%d: %s"):format(path, f.line, f.message))
		end
	end
	return scene
end

-- Value of a key (the last counts) among pairs.
local function value_of(pairs_of, key)
	local value
	for _, pair in ipairs(pairs_of) do
		if pair[1] == key then value = pair[2] end
	end
	return value
end

--- What `query leak` asks; in the file's space, its entities counted as its comments do.
---@param gap number narrower gaps between brushes count as closed
---@return table answer as leak.find
function M.leak(path, gap)
	local model <close> = M.must_read(path)
	local entities, godot = {}, false
	for i = 1, model:info().entities do
		local e = model:entity(i, true)
		local classname = value_of(e.pairs, "classname") or ""
		-- the scene has groups of brushes instead of these, and all others in order
		if classname ~= "func_group" and not (classname == "func_detail" and e.brushes > 0) then
			entities[#entities + 1] = { index = i - 1, classname = classname,
				where = ("%s:%d"):format(path, e.line) }
		end
		if classname == "worldspawn" or i == 1 and classname == "" then
			godot = value_of(e.pairs, "_hf_axis_convention") == "godot"
		end
	end
	return leak.find((model:scene()), gap, function(i) return entities[i] end,
		function(p) return godot and p or { p[1], 0 - p[3], p[2] } end)
end

--- A scene of the core as the bytes of a level text.
---@param scene userdata
---@param settings table rows of schema.convert
---@return string bytes, table[] losses
function M.save(scene, settings)
	if settings.textures then textures.measure(settings.textures, scene) end
	local model, losses = core.qmap.from_scene(scene, settings.units_per_metre,
		settings.axes == "godot" and "godot" or "quake")
	return written(model, settings, losses)
end

--- From one dialect to another without a scene in between: everything that both have is kept, the
--- brushes that do not close too. Other units or axes go through a scene.
---@param path string
---@param settings table rows of schema.convert
---@param given table what was said explicitly
function M.convert(path, settings, given)
	if given.units_per_metre or given.axes then
		return M.save(M.load(path, settings), settings)
	end
	local model, findings = M.must_read(path)
	local losses = {}
	if not given.dialect then settings = setmetatable({ dialect = model:info().dialect },
		{ __index = settings }) end
	local rejected = 0
	for _, f in ipairs(findings) do
		core.log.put("warning", f.rule, ("%s:%d: %s"):format(path, f.line, f.message))
		if f.rule == "map-number" then rejected = rejected + 1 end
	end
	if rejected > 0 then
		losses[1] = { one = "brush with a number that is none",
			many = "brushes with a number that is none", count = rejected }
	end
	return written(model, settings, losses)
end

--- What a level text holds. `brushes` and `faces` are those of closed solids, lengths are in map
--- units, bounds and volume in the file's own space (Z up); no bounds: an empty list.
---@param bytes string
---@param label string words for messages
---@return table info, table[] findings
function M.info_of(bytes, label)
	local model, findings = core.qmap.read(bytes, label)
	local head = model:info()
	local info = { kind = "qmap", bytes = #bytes, __keys = { "kind", "bytes", "dialect", "format",
		"game", "entities", "point_entities", "brush_entities", "brushes", "faces", "patches",
		"unknown_primitives", "open_brushes", "dropped_faces", "bounds", "volume" } }
	info.dialect, info.format = head.dialect, head.format
	info.game = head.game ~= "" and head.game or nil
	if M.first_error(findings) then return info, findings end
	local solids, more = model:solids()
	info.entities, info.point_entities = head.entities, head.point_entities
	info.brush_entities = head.brush_entities
	info.brushes, info.faces, info.patches = solids.brushes, solids.faces, head.patches
	info.unknown_primitives = head.raw
	info.open_brushes, info.dropped_faces = solids.open, solids.dropped
	info.bounds, info.volume = bounds(solids), solids.volume
	return info, append(findings, more)
end

--- The same of a file.
function M.info(path)
	return M.info_of(core.fs.read(path), path)
end

local function numbers(list)
	local out = {}
	for i, v in ipairs(list) do out[i] = core.base.number_text(v) end
	return "{ " .. table.concat(out, ", ") .. " }"
end

local face_keys = { "plane", "offset", "u", "v", "rotation", "scale", "extra", "quark" }

local function put_face(write, face)
	local out = { text.quote(face.texture) }
	if face.points then
		local points = {}
		for i, p in ipairs(face.points) do points[i] = numbers(p) end
		out[#out + 1] = "points = { " .. table.concat(points, ", ") .. " }"
	end
	for _, key in ipairs(face_keys) do
		local v = face[key]
		if v ~= nil then
			out[#out + 1] = key .. " = " .. (type(v) == "table" and numbers(v)
				or core.base.number_text(v))
		end
	end
	write(("\t\t\t\t{ %s },\n"):format(table.concat(out, ", ")))
end

local function put_brush(write, brush)
	write(("\t\t\t{ kind = %s, line = %d,%s\n"):format(text.quote(brush.kind), brush.line,
		brush.rejected and " rejected = true," or ""))
	for _, face in ipairs(brush.faces or {}) do put_face(write, face) end
	if brush.points then
		write(("\t\t\t\t%s, width = %d, height = %d,\n"):format(text.quote(brush.texture), brush.width,
			brush.height))
		for _, p in ipairs(brush.points) do write("\t\t\t\t" .. numbers(p) .. ",\n") end
	end
	if brush.text then write(("\t\t\t\t%s,\n"):format(text.quote(brush.text))) end
	write "\t\t\t},\n"
end

--- The whole level text as stable text.
---@param bytes string
---@param label string words for messages
---@param write fun(text: string)
---@return table[] findings
function M.dump_of(bytes, label, write)
	local model, findings = core.qmap.read(bytes, label)
	local head = model:info()
	write(("qmap {\n\tdialect = %s,\n"):format(text.quote(head.dialect)))
	if not M.first_error(findings) then
		local _, more = model:solids()
		append(findings, more)
		for i = 1, head.entities do
			local entity = model:entity(i)
			write(("\t{ -- entity %d\n\t\tline = %d,\n"):format(i - 1, entity.line))
			for _, pair in ipairs(entity.pairs) do
				write(("\t\t{ %s, %s },\n"):format(text.quote(pair[1]), text.quote(pair[2])))
			end
			if entity.brushes[1] then
				write "\t\tbrushes = {\n"
				for _, brush in ipairs(entity.brushes) do put_brush(write, brush) end
				write "\t\t},\n"
			end
			write "\t},\n"
		end
	end
	for i, f in ipairs(findings) do
		write(("%s\t\t{ line = %d, %s, %s },\n%s"):format(i == 1 and "\tfindings = {\n" or "", f.line,
			text.quote(f.rule), text.quote(f.message), i == #findings and "\t},\n" or ""))
	end
	write "}\n"
	return findings
end

--- The same of a file.
---@return table[] findings
function M.dump(path, write)
	return M.dump_of(core.fs.read(path), path, write)
end

return M
