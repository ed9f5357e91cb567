local core = require "mapwright.core"
local run = require "run"

-- A box in the style of Quake.
local function box(x0, y0, z0, x1, y1, z1, texture)
	local form = ("( %s %s %s ) ( %s %s %s ) ( %s %s %s )"):rep(6, "\n")
	local at = { x0, y0, z1, x0, y0, z0, x0, y1, z0, x1, y1, z0, x1, y0, z0, x1, y0, z1,
		x1, y0, z0, x0, y0, z0, x0, y0, z1, x0, y1, z1, x0, y1, z0, x1, y1, z0,
		x0, y1, z0, x0, y0, z0, x1, y0, z0, x1, y0, z1, x0, y0, z1, x0, y1, z1 }
	local text = form:format(table.unpack(at))
	return "{\n" .. text:gsub("[^\n]+", "%0 " .. (texture or "stone") .. " 0 0 0 1 1") .. "\n}\n"
end

local function entity(classname, origin, brushes)
	return ('{\n"classname" "%s"\n%s%s}\n'):format(classname,
		origin and '"origin" "' .. origin .. '"\n' or "", brushes or "")
end

-- Inside 0..128 each way, walls 16 thick; the wall towards +x has a hole over y 32..96, z 32..96.
local walls = box(-16, -16, -16, 144, 144, 0) .. box(-16, -16, 128, 144, 144, 144)
	.. box(-16, -16, 0, 0, 144, 128) .. box(0, -16, 0, 128, 0, 128)
	.. box(0, 128, 0, 128, 144, 128) .. box(128, -16, 0, 144, 144, 32)
	.. box(128, -16, 96, 144, 144, 128) .. box(128, -16, 32, 144, 32, 96)
	.. box(128, 96, 32, 144, 144, 96)
local function plug(texture) return box(128, 32, 32, 144, 96, 96, texture) end

local function room(more, entities, keys)
	return '{\n"classname" "worldspawn"\n' .. (keys or "") .. walls .. (more or "") .. "}\n"
		.. (entities or entity("info_player_start", "64 64 24"))
end

-- Status, what was printed, and the folder.
local function leak(text, ...)
	local dir = run.folder()
	run.write(dir .. "/x.map", text)
	local result = run.mapwright({ "query", "x.map", "leak", ... }, { dir = dir })
	return result.status, result.out, dir, result.err
end

describe("the leak test of a level", function()
	after_each(run.clean)

	it("finds a closed room closed", function()
		local status, out = leak(room(plug()))
		assert.equal("leak: none (1 entity)\n", out)
		assert.equal(0, status)
	end)

	it("names who leaks, where it was made, and the way through the hole", function()
		local text = room()
		local status, out = leak(text)
		assert.equal(1, status)
		local _, line = text:match '^(.*)%{\n"classname" "info_player_start"':gsub("\n", "")
		assert.matches("^leak: from entity 1 %(info_player_start%) at 64 64 24, x%.map:"
			.. line + 1 .. "\nline:\n  64 64 24\n", out)
		-- the middles of the hole's two ends
		assert.matches("\n  128 64 64\n  144 64 64\n$", out)
	end)

	it("takes a gap of a hundredth for one, unless told otherwise", function()
		local open = room((plug():gsub("%( (%d+) (%d+) 96 %)", "( %1 %2 95.99 )")))
		assert.equal(1, (leak(open)))
		assert.equal(1, (leak(open, "--gap", "0")))
		local status, out = leak(open, "--gap", "0.02")
		assert.equal("leak: none (1 entity)\n", out)
		assert.equal(0, status)
		assert.equal(2, (leak(open, "--gap", "-1")))
	end)

	it("closes holes by sky, not by water, clips, detail or the brushes of entities", function()
		local start = entity("info_player_start", "64 64 24")
		assert.equal(0, (leak(room(plug "sky1"))))
		assert.equal(1, (leak(room(plug "*water0"))))
		assert.equal(1, (leak(room(plug "clip"))))
		assert.equal(0, (leak(room(nil, entity("func_group", nil, plug()) .. start))))
		for _, classname in ipairs { "func_door", "func_detail", "func_detail_wall" } do
			assert.equal(1, (leak(room(nil, entity(classname, nil, plug()) .. start))), classname)
		end
	end)

	it("says which entities stand in solids, and counts them not", function()
		local status, out = leak(room(plug(), entity("light", "-8 64 64")
			.. entity("info_player_start", "64 64 0"))) -- on the floor
		assert.matches("^leak: none %(1 entity%)\nin solid: entity 1 %(light%) at %-8 64 64, x%.map:",
			out)
		assert.equal(0, status)
		status, out = leak(room(nil, entity("light", "-8 64 64")))
		assert.matches("^leak: unknown, every entity is in a solid\n", out)
		assert.equal(1, status)
		status, out = leak(room(nil, ""))
		assert.equal("leak: unknown, there is no entity to start from\n", out)
		assert.equal(1, status)
	end)

	it("finds the open one of two rooms only for who is in it", function()
		local other = walls:gsub("%( (%-?%d+) ", function(x) return ("( %d "):format(x + 1000) end)
		local inside, outside = entity("info_player_start", "64 64 24"), entity("light", "1064 64 24")
		assert.equal(0, (leak(room(plug() .. other, inside))))
		local status, out = leak(room(plug() .. other, inside .. outside))
		assert.equal(1, status)
		assert.matches("^leak: from entity 2 %(light%) at 1064 64 24", out)
	end)

	it("writes a point file that editors read, and takes it away when the leak is gone", function()
		local _, _, dir = leak(room(), "-o", "x.pts")
		local points, before = {}, nil
		for line in run.read(dir .. "/x.pts"):gmatch "([^\n]*)\n" do
			local x, y, z = line:match "^(%-?[%d.]+) (%-?[%d.]+) (%-?[%d.]+)$"
			assert.is_truthy(x, line)
			local p = { tonumber(x), tonumber(y), tonumber(z) }
			if before then
				local d = 0
				for i = 1, 3 do d = d + (p[i] - before[i]) ^ 2 end
				assert.is_true(d <= 8.01 ^ 2)
			end
			points[#points + 1], before = line, p
		end
		assert.equal("64 64 24", points[1])
		assert.equal("144 64 64", points[#points])
		run.write(dir .. "/x.map", room(plug()))
		assert.equal(0, run.mapwright({ "query", "x.map", "leak", "-o", "x.pts" }, { dir = dir }).status)
		assert.is_false(run.exists(dir .. "/x.pts"))
		assert.equal(2, run.mapwright({ "query", "x.map", "leak", "-o", "x.map" }, { dir = dir }).status)
	end)

	it("tells entities of one line apart", function()
		local text = room(nil, entity("func_group", nil, plug "*water0") .. entity("light", "-8 64 64")
			.. entity("info_player_start", "64 64 24")):gsub("\n", " ")
		local _, out = leak(text)
		assert.matches("^leak: from entity 3 %(info_player_start%) at 64 64 24, x%.map:1\n", out)
		assert.matches("in solid: entity 2 %(light%) at %-8 64 64, x%.map:1\n", out)
	end)

	it("speaks JSON, in the space of the file", function()
		for _, keys in ipairs { "", '"_hf_axis_convention" "godot"\n' } do
			local _, out = leak(room(nil, nil, keys), "--json")
			local r = core.base.json_read(out)
			assert.is_true(r.leaks)
			assert.equal(1, r.asked)
			assert.equal(9, r.sealing)
			assert.equal(1, r.entity.index)
			assert.equal("info_player_start", r.entity.classname)
			assert.same({ 64, 64, 24 }, r.entity.at)
			assert.same({ 64, 64, 24 }, r.line[1])
			assert.near(144, r.line[#r.line][1], 0.001)
			assert.same({ 64, 64 }, { r.line[#r.line][2], r.line[#r.line][3] })
		end
		local r = core.base.json_read((select(2, leak(room(plug()), "--json"))))
		assert.is_false(r.leaks)
		assert.is_nil(r.line)
	end)

	it("asks the source of a .hmap, in its own space", function()
		local dir = run.folder()
		run.write(dir .. "/x.map", room())
		local function go(...)
			return run.mapwright({ ... }, { dir = dir })
		end
		assert.equal(0, go("convert", "x.map", "x.hmap").status)
		local result = go("query", "x.hmap", "leak", "-o", "x.pts")
		assert.equal(1, result.status)
		-- Y up: Quake's (x, y, z) is (x, z, -y)
		assert.matches("^leak: from entity %d %(player_start%) at 64 24 %-64\n", result.out)
		assert.matches("\n  144 64 %-64\n$", result.out)
		assert.matches("^64 24 %-64\n", run.read(dir .. "/x.pts"))
		assert.equal(0, go("convert", "x.hmap", "c.hmap", "--set", "content=compiled").status)
		result = go("query", "c.hmap", "leak")
		assert.equal(1, result.status)
		assert.matches("no source in the file", result.err)
	end)

	it("is asked nothing more", function()
		assert.equal(2, (leak(room(), "1")))
	end)
end)

describe("the leak test of real levels", function()
	after_each(run.clean)

	local function ask(path, ...)
		return run.mapwright { "query", path, "leak", "-q", ... }
	end

	it("finds those that were played closed, though turned brushes leave gaps of 1e-13", function()
		local dir = run.shared "corpus/map"
		if not dir then return pending "no corpus" end
		for name, entities in pairs { lq_lqdm1 = 72, lq_e0m5 = 234, lq_e2m4 = 907 } do
			local result = ask(dir .. "/" .. name .. ".map")
			assert.equal(0, result.status, name)
			assert.matches("^leak: none %(" .. entities .. " entities%)\n", result.out)
		end
		assert.equal(1, ask(dir .. "/lq_lqdm1.map", "--gap", "0").status)
	end)

	it("finds monsters in a place without a ceiling", function()
		local path = run.shared "corpus/map/lq_e1m1.map"
		if not path then return pending "no corpus" end
		local result = ask(path)
		assert.equal(1, result.status)
		assert.matches("^leak: from entity 22 %(monster_army%) at %-1024 864 360, ", result.out)
		-- nothing is above it
		assert.equal("hit: none\n", run.mapwright({ "query", path, "ray", "-q", "--mask",
			"solid,sky", "-1024", "360", "-864", "-1024", "9000", "-864" }).out)
	end)

	it("finds the one made-up level that lacks a wall", function()
		local dir = run.shared "corpus/map-synth"
		if not dir then return pending "no corpus" end
		assert.equal(1, ask(dir .. "/g27_leak.map").status)
		for _, name in ipairs { "g08_micro_0p05", "g09_micro_0p001", "g18_huge_coord",
			"g19_offgrid_rotated_3dec", "g22_prism256", "g25_gap_0p005", "g28_wedge_sliver" } do
			assert.equal(0, ask(dir .. "/" .. name .. ".map").status, name)
		end
	end)
end)
