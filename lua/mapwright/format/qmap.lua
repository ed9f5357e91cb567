--- .map files: what `info` and `dump` show.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local text = require "mapwright.format.text"

local M = { name = "qmap", title = "Quake-family level", extensions = { ".map" } }

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
