-- The shared cases of level texts of the Quake family.
local case = require "case"
local core = require "mapwright.core"
local format = require "mapwright.format"
local qmap = require "mapwright.format.qmap"
local run = require "run"

local function open(id, name)
	local dir = case.copy(id)
	return dir and dir .. "/" .. name
end

-- Everything `info` says of a case's file, and the model.
local function read(id, name)
	local path = open(id, name)
	if not path then return nil end
	local info, findings = format.info(path)
	return { path = path, info = info, findings = findings,
		model = core.qmap.read(run.read(path), name) }
end

local function textures(model)
	local out = {}
	for i = 1, model:info().entities do
		for _, brush in ipairs(model:entity(i).brushes) do
			for _, face in ipairs(brush.faces) do out[#out + 1] = face.texture end
		end
	end
	return out
end

local function values(model, entity)
	local out = {}
	for _, pair in ipairs(model:entity(entity).pairs) do out[pair[1]] = pair[2] end
	return out
end

local function again(model, ...)
	return (core.qmap.read((model:write(...)), "again"))
end

-- What is drawn of a level: {x, y, z (our space), ..., u, v (repeats)} of every place.
local function drawn(path)
	local hmap, out, seen = core.hmap.from_scene(qmap.load(path)), {}, {}
	hmap:compile {}
	for i = 1, hmap:level().batches do
		for _, v in ipairs(hmap:batch(i).vertices) do
			out[#out + 1] = v
			seen[("%.9g %.9g %.9g"):format(v[1], v[2], v[3])] = true
		end
	end
	local places = 0
	for _ in pairs(seen) do places = places + 1 end
	return out, places
end

local function assert_solid(case_, brushes, faces, volume, corners)
	assert.equal(brushes, case_.info.brushes)
	assert.equal(faces, case_.info.faces)
	assert.near(volume, case_.info.volume, 1e-6)
	if corners then assert.equal(corners, (select(2, drawn(case_.path)))) end
end

describe("a level text of the cases", function()
	after_each(run.clean)

	it("mi01: has texture names with every sign in them", function()
		local c = read("map-import/mi01", "names.map")
		if not c then return pending "no shared cases here" end
		assert.equal(1, c.info.brushes)
		local names = { "{fence", "*water1", "+0button", "}x", "sky/blue_1", "#trim-2" }
		assert.same(names, textures(c.model))
		assert.same(names, textures(again(c.model, "valve220")))
		assert.same({}, c.findings)
	end)

	it("mi03: has texture names in quotes", function()
		local c = read("map-import/mi03", "quoted.map")
		if not c then return pending "no shared cases here" end
		local names = { "old wall 15", "stone", "plain", "a b", "plain", "plain" }
		assert.equal(1, c.info.brushes)
		assert.same(names, textures(c.model))
		assert.same(names, textures(again(c.model, "classic")))
		local _, lost = c.model:write("classic", nil, true)
		assert.equal(2, lost.names)
		names[1], names[4] = "old_wall_15", "a_b"
		assert.same(names, textures(again(c.model, "classic", nil, true)))
	end)

	it("mi05: has numbers with exponents", function()
		local c = read("map-import/mi05", "sci.map")
		if not c then return pending "no shared cases here" end
		assert_solid(c, 1, 6, 262144, 8)
		assert.same({ 0, 0, 0 }, c.info.bounds.min)
		assert.same({ 64, 64, 64 }, c.info.bounds.max)
		assert.same({ 0.5, 0 }, c.model:entity(1).brushes[1].faces[3].offset)
	end)

	it("mi07: has plane points that are far from the solid", function()
		local c = read("map-import/mi07", "far.map")
		if not c then return pending "no shared cases here" end
		assert_solid(c, 1, 6, 262144, 8)
		assert.same({ -8, -24, -40 }, c.info.bounds.min)
		assert.same({ 56, 40, 24 }, c.info.bounds.max)
	end)

	it("mi09: has line ends of two bytes and tabs", function()
		local c = read("map-import/mi09", "plain.map")
		if not c then return pending "no shared cases here" end
		assert_solid(c, 2, 12, 2 * 262144)
		assert.equal(2, c.info.entities)
		assert.equal("200", values(c.model, 2).light)
	end)

	it("mi11: is refused where it is no level", function()
		local path = open("map-import/mi11", "broken.map")
		if not path then return pending "no shared cases here" end
		local result = run.mapwright { "info", path }
		assert.equal(1, result.status)
		assert.matches("broken%.map:1:1: error: text outside any block", result.err)
	end)

	it("mi13: has slashes, backslashes and quotes in values", function()
		local c = read("map-import/mi13", "props.map")
		if not c then return pending "no shared cases here" end
		for _, model in ipairs { c.model, again(c.model), again(c.model, "valve220") } do
			local v = values(model, 1)
			assert.equal("https://maps.invalid//tiles/7", v.home)
			assert.equal("props\\crate\\big", v.model)
			assert.equal('sign reads "stop" here', v.note)
		end
		assert.equal(1, c.info.brushes)
	end)

	it("mi17: has a world without brushes", function()
		local c = read("map-import/mi17", "empty_world.map")
		if not c then return pending "no shared cases here" end
		local result = run.mapwright { "info", c.path, "--json" }
		assert.equal(0, result.status)
		assert.equal(0, c.info.brushes)
		assert.same({}, c.info.bounds)
		assert.equal("a.wad;b.wad", values(c.model, 1).wad)
		assert.equal("300", values(c.model, 1)._sunlight)
	end)

	it("mi19: has texture scales of 0", function()
		local c = read("map-import/mi19", "zero.map")
		if not c then return pending "no shared cases here" end
		assert.equal(1, #c.findings)
		assert.equal("map-scale-zero", c.findings[1].rule)
		assert.equal(8, c.findings[1].line)
		local faces = again(c.model, "valve220"):entity(1).brushes[1].faces
		assert.same({ -1, 1 }, faces[6].scale)
		assert.same({ 1, 1 }, faces[5].scale)
		assert.equal(16, faces[5].u[4])
		assert.equal(8, faces[5].v[4])
		for _, v in ipairs(drawn(c.path)) do
			assert.is_true(math.abs(v[7]) < 100 and math.abs(v[8]) < 100)
		end
		assert.equal(30, faces[5].rotation)
	end)

	it("mi21: has contents, flags and values", function()
		local c = read("map-import/mi21", "q2classic.map")
		if not c then return pending "no shared cases here" end
		assert_solid(c, 1, 6, 262144)
		assert.equal("quake2", c.info.dialect)
		local v = read("map-import/mi21", "q2valve.map")
		assert_solid(v, 1, 6, 262144)
		assert.equal("quake2_valve", v.info.dialect)
		for _, dialect in ipairs { "quake2", "quake2_valve", "quake3_legacy" } do
			for _, face in ipairs(again(c.model, dialect):entity(1).brushes[1].faces) do
				assert.same({ 134217728, 64, 0 }, face.extra)
				assert.equal("e1u1/floor", face.texture)
			end
			for _, face in ipairs(again(v.model, dialect):entity(1).brushes[1].faces) do
				assert.same({ 1, 2, 300 }, face.extra)
				assert.equal("e1u1/wall", face.texture)
			end
		end
		local _, lost = v.model:write "valve220"
		assert.equal(6, lost.extras)
	end)

	it("mi22: has brush primitives", function()
		local c = read("map-import/mi22", "bp.map")
		if not c then return pending "no shared cases here" end
		assert.equal("quake3", c.info.dialect)
		assert.equal(0, c.info.brushes)
		assert.equal(1, c.info.open_brushes)
		local result = run.mapwright { "info", c.path }
		assert.equal(0, result.status)
		assert.matches("bp%.map:3:1: warning: brush 0 of entity 0 %(worldspawn, brushDef in line 4%)"
			.. " is open", result.err)
	end)

	it("mi23: has a wedge between floor and wall", function()
		local c = read("map-import/mi23", "wedge.map")
		if not c then return pending "no shared cases here" end
		assert_solid(c, 1, 5, 131072, 6)
		-- corners of the slanted face in texels: 64 are a repeat here
		local met = 0
		for _, v in ipairs(drawn(c.path)) do
			local x, north = v[1], -v[3]
			if v[4] > 0.7 and v[4] < 0.8 and x == 64 then
				assert.same({ 64, -north }, { v[7] * 64, v[8] * 64 })
				met = met + 1
			end
		end
		assert.equal(2, met)
		local face = again(c.model, "valve220"):entity(1).brushes[1].faces[5]
		assert.same({ 1, 0, 0, 0 }, face.u)
		assert.same({ 0, -1, 0, 0 }, face.v)
	end)

	it("mx01: gets texture axes that lie in its faces", function()
		local c = read("map-export/mx01", "cube.map")
		if not c then return pending "no shared cases here" end
		local out = again(c.model, "valve220")
		assert.equal(65536, (out:solids()).volume)
		local faces = out:entity(1).brushes[1].faces
		assert.equal(6, #faces)
		for _, f in ipairs(faces) do
			local a, n = {}, {}
			for i = 1, 3 do
				a[i] = f.points[1][i] - f.points[2][i]
				n[i] = f.points[3][i] - f.points[2][i]
			end
			local normal = { a[2] * n[3] - a[3] * n[2], a[3] * n[1] - a[1] * n[3],
				a[1] * n[2] - a[2] * n[1] }
			for _, axis in ipairs { f.u, f.v } do
				local dot, len = 0, 0
				for i = 1, 3 do
					dot = dot + axis[i] * normal[i]
					len = len + axis[i] * axis[i]
				end
				assert.equal(0, dot)
				assert.equal(1, len)
			end
			assert.same({ 1, 1 }, f.scale)
			assert.equal(0, f.u[1] * f.v[1] + f.u[2] * f.v[2] + f.u[3] * f.v[3])
		end
	end)

	it("mx09: keeps its keys, all of them, in order", function()
		local c = read("map-export/mx09", "keys.map")
		if not c then return pending "no shared cases here" end
		for _, dialect in ipairs { "classic", "valve220", "quake3" } do
			local model = again(c.model, dialect)
			assert.equal(c.info.entities, model:info().entities)
			assert.equal("Two  blanks", values(model, 1).message)
			assert.equal("x.wad", values(model, 1).wad)
			assert.equal("90", values(model, 2).angle)
			assert.same({ "120", "d1" }, { values(model, 2).speed, values(model, 2).targetname })
			assert.equal("d1", values(model, 3).target)
			assert.equal("keep me", values(model, 4)._custom)
			local wires = {}
			for _, pair in ipairs(model:entity(3).pairs) do
				if pair[1] == "OnTrigger" then wires[#wires + 1] = pair[2] end
			end
			assert.same({ "d1,Open,,0.5,1", "lamp,TurnOn,,0,-1" }, wires)
		end
	end)

	it("mx11: keeps its digits, time after time", function()
		local c = read("map-export/mx11", "digits.map")
		if not c then return pending "no shared cases here" end
		local one = (c.model:write "classic")
		local two = (core.qmap.read(one, "one"):write "classic")
		local three = (core.qmap.read(two, "two"):write "classic")
		assert.equal(two, three)
		assert.matches("%( %-37%.1 88%.3 %-12 %)", two)
		assert.equal(6, c.info.faces)
	end)

	it("mx12: is written exactly, or says what moved", function()
		local c = read("map-export/mx12", "third.map")
		if not c then return pending "no shared cases here" end
		local text, lost = c.model:write "classic"
		assert.equal(0, lost.moved)
		assert.matches("60%.5", text)
		assert.matches("64%.25", text)
		text, lost = c.model:write("classic", 0)
		assert.equal(1, lost.moved)
		assert.equal(0.5, lost.moved_by)
		assert.not_matches("%.", text:gsub("^.-worldspawn", ""))
	end)

	it("cu05: reads the same in every country", function()
		local c = read("cli-ux/cu05", "half.map")
		if not c then return pending "no shared cases here" end
		assert.near(64 * 64 * 63.75, c.info.volume, 1e-9)
		assert.same({ 0.5, 0.25, 0 }, c.info.bounds.min)
		assert.same({ 64.5, 64.25, 63.75 }, c.info.bounds.max)
		local outs = {}
		for i, locale in ipairs { "C", "de_DE.UTF-8" } do
			outs[i] = { dump = run.mapwright({ "dump", c.path }, { env = { LC_ALL = locale } }).out }
			for _, kind in ipairs { "map", "hmap" } do
				local to = c.path .. i .. "." .. kind
				assert.equal(0, run.mapwright({ "convert", c.path, to },
					{ env = { LC_ALL = locale } }).status)
				outs[i][kind] = run.read(to)
			end
		end
		assert.same(outs[1], outs[2])
		assert.not_matches("%d,%d", outs[1].dump .. outs[1].map)
	end)

	it("cb09: has one plane twice", function()
		local c = read("csg-bsp/cb09", "dup.map")
		if not c then return pending "no shared cases here" end
		assert_solid(c, 1, 6, 262144, 8)
		assert.equal(1, c.info.dropped_faces)
		assert.equal(1, #c.findings)
		assert.equal(10, c.findings[1].line)
	end)

	it("cb11: has a brush without volume", function()
		local c = read("csg-bsp/cb11", "flat.map")
		if not c then return pending "no shared cases here" end
		assert.equal(2, c.info.brushes)
		assert.equal(1, c.info.open_brushes)
		local found
		for _, f in ipairs(c.findings) do found = found or f.line == 22 and f end
		assert.matches("func_wall", found.message)
	end)

	it("mi15: has the size in metres that its units say", function()
		local path = open("map-import/mi15", "corridor.map")
		if not path then return pending "no shared cases here" end
		local out = path:gsub("%.map$", ".hmap")
		local result = run.mapwright { "convert", path, out, "--set", "scene_units_per_metre=1" }
		assert.equal("", result.status ~= 0 and result.err or "")
		local info = format.info(out)
		assert.same({ 0, 0, -1.5 }, info.bounds.min)
		assert.same({ 5, 3, 0 }, info.bounds.max)
		local hmap = core.hmap.read(run.read(out), out, true)
		for _, e in ipairs(hmap:entities()) do
			if e.classname == "player_start" then assert.same({ 2.5, 0.75, -0.75 }, e.origin) end
		end
	end)

	it("mi11: leaves what was there when it refuses", function()
		local path = open("map-import/mi11", "broken.map")
		if not path then return pending "no shared cases here" end
		local out = path:gsub("broken%.map$", "out.map")
		run.write(out, "old")
		for _, to in ipairs { out, (out:gsub("%.map$", ".hmap")) } do
			local result = run.mapwright { "convert", path, to }
			assert.equal(1, result.status)
			assert.matches("broken%.map:1:1: text outside any block", result.err)
		end
		assert.equal("old", run.read(out))
		assert.is_false(run.exists((out:gsub("%.map$", ".hmap"))))
	end)

	it("mx05: is a prism of sixteen sides from a script", function()
		if not run.shared "cases/map-export/mx05" then return pending "no shared cases here" end
		local dir = run.folder()
		run.write(dir .. "/build.lua", [[
local mw = require "mapwright"
local level = mw.scene{ name = "prism", units_per_metre = 32 }
level:add(mw.cylinder{ at = {0, -16, 0}, radius = 16, height = 32, sides = 16 })
mw.target.quake_map{ out = "prism.map", scene = level, dialect = "classic", units_per_metre = 32 }
]])
		local result = run.mapwright({ "build" }, { dir = dir })
		assert.equal("", result.status ~= 0 and result.err or "")
		local info = format.info(dir .. "/prism.map")
		assert.equal(1, info.brushes)
		assert.equal(18, info.faces)
		assert.equal(0, info.dropped_faces)
		assert.equal(32, (select(2, drawn(dir .. "/prism.map"))))
		assert.near(0.5 * 16 * 16 ^ 2 * math.sin(math.rad(22.5)) * 32, info.volume, 1)
	end)

	it("mx09: keeps its keys through a scene", function()
		local c = read("map-export/mx09", "keys.map")
		if not c then return pending "no shared cases here" end
		local model = core.qmap.read((qmap.save(qmap.load(c.path), { dialect = "classic" })), "x")
		assert.equal(c.info.entities, model:info().entities)
		assert.equal("Two  blanks", values(model, 1).message)
		assert.equal("x.wad", values(model, 1).wad)
		local door = values(model, 2)
		assert.same({ "90", "120", "d1" }, { door.angle, door.speed, door.targetname })
		local wires = {}
		for _, pair in ipairs(model:entity(3).pairs) do
			if pair[1] == "OnTrigger" then wires[#wires + 1] = pair[2] end
		end
		assert.same({ "d1,Open,,0.5,1", "lamp,TurnOn,,0,-1" }, wires)
	end)

	it("mx11, mx12: is converted exactly, or says what moved", function()
		local path = open("map-export/mx11", "digits.map")
		if not path then return pending "no shared cases here" end
		local dir, texts = path:match "^(.*)/", {}
		for i = 1, 3 do
			local to = ("%s/%d.map"):format(dir, i)
			local result = run.mapwright { "convert", i == 1 and path or ("%s/%d.map"):format(dir, i - 1),
				to, "--set", "units_per_metre=1", "--set", "axes=godot", "--set", "source_axes=godot",
				"--set", "source_units_per_metre=1" }
			assert.equal("", result.status ~= 0 and result.err or "")
			texts[i] = run.read(to)
		end
		assert.equal(texts[2], texts[3])
		assert.matches("%( %-37%.1 88%.3 %-12 %)", texts[3])
		path = open("map-export/mx12", "third.map")
		local result = run.mapwright { "convert", path, path .. ".out.map", "--set", "decimals=0" }
		assert.equal(0, result.status)
		assert.matches("left out 1 face moved by up to 0%.5", result.err .. result.out)
		result = run.mapwright { "convert", path, path .. ".strict.map", "--set", "decimals=0",
			"--strict" }
		assert.equal(1, result.status)
		assert.is_false(run.exists(path .. ".strict.map"))
	end)

	it("cu07, cu08: is not converted with settings that make no sense", function()
		local path = open("map-import/mi15", "corridor.map")
		if not path then return pending "no shared cases here" end
		local out = path .. ".hmap"
		local function refused(setting, part)
			local result = run.mapwright { "convert", path, out, "--set", setting }
			assert.is_true(result.status ~= 0)
			assert.matches(part, result.err, 1, true)
			assert.is_false(run.exists(out))
		end
		refused("source_units_per_metre", "--set")
		refused("source_units_per_metre=abc", "'source_units_per_metre' must be a number, got 'abc'")
		refused("source_units_per_meter=32", "did you mean 'source_units_per_metre'?")
		refused("source_units_per_metre=0", "= 0 is outside")
		refused("source_units_per_metre=-32", "= -32 is outside")
		refused("source_units_per_metre=nan", "'nan'")
		refused("source_units_per_metre=1e-30", "= 1e-30 is outside")
	end)
end)
