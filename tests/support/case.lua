-- A shared case as a build: its build.txt becomes a script in a scratch folder.
local run = require "run"

local case = {}

--- A copy of a case's folder with make.py run, or nil where the cases are absent.
function case.copy(id)
	local from = run.shared("cases/" .. id)
	if not from then return nil end
	local dir = run.folder()
	assert(run.shell(("cp -r %s/. %s && chmod -R u+w %s"):format(run.quote(from), run.quote(dir),
		run.quote(dir))).status == 0)
	if run.exists(dir .. "/make.py") then
		assert(run.shell("python3 make.py", dir).status == 0)
	end
	return dir
end

--- The `key: value` lines of a build.txt.
function case.request(dir)
	local request = {}
	for line in run.read(dir .. "/build.txt"):gmatch "[^\n]+" do
		local key, value = line:match "^([%w_ ]+):%s*(.-)%s*$"
		if key then request[key] = value end
	end
	return request
end

-- "flat.png   (make.py writes it...)" -> "flat.png"
local function first_path(text)
	return (text:gsub("%s%s+%(.*$", ""):gsub("%s+%(make%.py%).*$", ""))
end

--- The build script that a request asks for. `extra` is text put before the target.
function case.script(request, extra)
	local out = { 'local mw = require "mapwright"' }
	local function put(fmt, ...) out[#out + 1] = fmt:format(...) end
	local w, h = (request.size_squares or "128 128"):match "(%d+)%s+(%d+)"
	put("local land = mw.terrain{ squares = {%s, %s}, min_height = %s, max_height = %s }", w, h,
		request.min_height or "0", request.max_height or "10")
	local heights = first_path(request.heightmap or "flat")
	if not heights:match "^flat[, ]?" or heights:match "%.png$" then
		put("land:heights{ picture = %q }", heights)
	end
	local texture = first_path(request.texture or "one flat colour 128,128,128")
	if texture:match "^one flat colour" then
		put "land:ground{ layers = { { color = \"#808080\" } } }"
	else
		put("land:ground{ picture = %q }", texture)
	end
	if request.metal and request.metal ~= "none" then
		put("land:metal{ picture = %q }", request.metal)
	end
	if request.grass and request.grass:match "%.png$" then
		put("land:grass{ picture = %q }", request.grass)
	elseif request.grass and request.grass:match "all cells (%d+)" then
		put("land:grass{ bytes = %s }", request.grass:match "all cells (%d+)")
	end
	out[#out + 1] = extra or ""
	put("mw.target.bar{ out = %q, terrain = land, map_name = %q,", "out/case.sdd",
		(request.smt_name or "t.smt"):gsub("%.smt$", ""))
	put "\tinfo = { name = 'Case', version = '1', maxMetal = 1, extractorRadius = 90 } }"
	return table.concat(out, "\n") .. "\n"
end

--- Build a case; returns the result and the folder.
function case.build(id, extra, change)
	local dir = case.copy(id)
	if not dir then return nil end
	local request = run.exists(dir .. "/build.txt") and case.request(dir) or {}
	if change then change(request, dir) end
	run.write(dir .. "/build.lua", case.script(request, extra))
	return run.mapwright({ "build", "build.lua" }, { dir = dir }), dir
end

--- Header and blocks of a .smf, read by its pointers in a few lines of the test's own.
function case.smf(path)
	local b = run.read(path)
	local f = { bytes = b }
	f.magic, f.version, f.mapid, f.mapx, f.mapy, f.square, f.texels, f.tile, f.min, f.max,
		f.height_at, f.type_at, f.tiles_at, f.minimap_at, f.metal_at, f.feature_at, f.extra =
		("<c16 i4 i4 i4 i4 i4 i4 i4 f f i4 i4 i4 i4 i4 i4 i4"):unpack(b)
	if f.extra == 1 then
		local size, kind, at = ("<i4 i4 i4"):unpack(b, 81)
		assert(size == 12 and kind == 1)
		f.grass_at = at
	end
	function f.height(i) return (("<I2"):unpack(b, f.height_at + 2 * i + 1)) end
	function f.byte(at, i) return b:byte(at + i + 1) end
	local files, total, pos = ("<i4 i4"):unpack(b, f.tiles_at + 1)
	f.tile_files, f.num_tiles = {}, total
	for i = 1, files do
		local count, name
		count, name, pos = ("<i4 z"):unpack(b, pos)
		f.tile_files[i] = { count = count, name = name }
	end
	function f.index(i) return (("<i4"):unpack(b, pos + 4 * i)) end
	f.index_at = pos - 1
	local types, count, at = ("<i4 i4"):unpack(b, f.feature_at + 1)
	f.types, f.features = {}, {}
	for i = 1, types do f.types[i], at = ("<z"):unpack(b, at) end
	for i = 1, count do
		local kind, x, y, z, rotation, size
		kind, x, y, z, rotation, size, at = ("<i4 f f f f f"):unpack(b, at)
		f.features[i] = { name = f.types[kind + 1], x = x, y = y, z = z, rotation = rotation,
			size = size }
	end
	f.end_at = at - 1
	return f
end

return case
