-- The shared cases of .hmap files, and of brushes in Lua.
local case = require "case"
local core = require "mapwright.core"
local format = require "mapwright.format"
local mw = require "mapwright"
local run = require "run"

local function json(dir, ...)
	local result = run.mapwright({ ... }, { dir = dir })
	assert.equal(0, result.status, result.err)
	return core.base.json_read(result.out)
end

local function solid(dir, file, x, y, z)
	return json(dir, "query", file, "point", x, y, z, "--json").solid
end

describe("hmap", function()
	after_each(run.clean)

	it("hp01: an unknown chunk is skipped and kept", function()
		local dir = case.copy "hmap/hp01"
		if not dir then return pending "no cases" end
		local info = json(dir, "info", "xtra.hmap", "--json")
		assert.equal(1, info.brushes)
		assert.equal(8, info.volume)
		assert.equal("case", info.name)
		assert.equal(0.25, info.grid)
		assert.same({ "META", "XTRA", "BRSH" }, info.chunks)
		local brush = core.hmap.read(run.read(dir .. "/xtra.hmap"), "x", true):brush(1)
		assert.equal(6, #brush.faces)
		assert.equal(0, run.mapwright({ "convert", "xtra.hmap", "out.hmap" }, { dir = dir }).status)
		assert.equal(run.read(dir .. "/xtra.hmap"), run.read(dir .. "/out.hmap"))
	end)

	it("hp03: a tree of depth 20000 is walked without a crash", function()
		local dir = case.copy "hmap/hp03"
		if not dir then return pending "no cases" end
		assert.is_true(solid(dir, "deep.hmap", "-1", "0", "0"))
		assert.is_false(solid(dir, "deep.hmap", "1", "0", "0"))
		local hit = json(dir, "query", "deep.hmap", "ray", "3", "0", "0", "-3", "0", "0", "--json")
		assert.near(3, hit.distance, 1e-12)
	end)

	it("hp05: the front of a plane is on it too, a face is outside", function()
		local dir = case.copy "hmap/hp05"
		if not dir then return pending "no cases" end
		assert.is_false(solid(dir, "onplane.hmap", "0", "0", "0"))
		assert.is_true(solid(dir, "onplane.hmap", "-0.001", "0", "0"))
		assert.is_false(solid(dir, "onplane.hmap", "-2", "0", "0"))
	end)

	it("hp06: a spot looks where pitch and yaw say", function()
		local dir = case.copy "hmap/hp06"
		if not dir then return pending "no cases" end
		local hmap = core.hmap.read(run.read(dir .. "/spot.hmap"), "spot", true)
		local light = hmap:entity_lights()[1]
		local want = { -0.8660254, 0.5, 0 }
		for i = 1, 3 do assert.near(want[i], light.dir[i], 1e-4) end
		assert.equal("spot", light.kind)
		assert.same({ 1, 2, 3 }, hmap:entities()[1].origin)
		assert.same({ { "radius", "6" } }, hmap:entities()[1].keys)
		assert.equal(6, light.radius)
	end)

	it("hp07: polygon data that does not fit is refused", function()
		local dir = case.copy "hmap/hp07"
		if not dir then return pending "no cases" end
		for file, part in pairs { ["uv.hmap"] = "2", ["idx.hmap"] = "9" } do
			for _, line in ipairs { { "info", file }, { "query", file, "point", "0", "0", "0" },
				{ "convert", file, "out.hmap" } } do
				local result = run.mapwright(line, { dir = dir })
				assert.equal(1, result.status, line[1])
				assert.matches(part, (result.err:gsub("@0x%x+", "")))
				assert.is_false(run.exists(dir .. "/out.hmap"))
			end
		end
		local hmap = core.hmap.read(run.read(dir .. "/ok.hmap"), "ok", true)
		hmap:compile {}
		assert.equal(1, hmap:level().triangles)
	end)

	it("hp08: colours are red in the lowest byte", function()
		local dir = case.copy "hmap/hp08"
		if not dir then return pending "no cases" end
		local hmap = core.hmap.read(run.read(dir .. "/red.hmap"), "red", true)
		local batch = hmap:batch(1)
		assert.equal(3, #batch.vertices)
		assert.equal(3, #batch.indices)
		for _, v in ipairs(batch.vertices) do
			assert.equal(0xff0000ff, v[9])
			assert.equal(1, v[6])
		end
		local a, b, c = table.unpack(batch.vertices)
		assert.is_true((b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]) > 0)
		assert.equal(-1, hmap:level().root)
		assert.same({}, hmap:leaf(0))
		assert.matches("#ff0000ff", (function()
			local out = {}
			format.dump(dir .. "/red.hmap", function(text) out[#out + 1] = text end)
			return table.concat(out)
		end)())
	end)
end)

-- The .map texts of csg-bsp as brushes of ours: planes through three points, clockwise from
-- outside, z up turned to ours.
local function brushes_of(id)
	local dir = case.copy(id)
	if not dir then return nil end
	local pipe = assert(io.popen("ls " .. run.quote(dir)))
	local name
	for line in pipe:lines() do name = line:match "%.map$" and line or name end
	pipe:close()
	local out, planes = {}, nil
	for line in run.read(dir .. "/" .. name):gmatch "[^\n]+" do
		local n = {}
		for v in line:gmatch "%(([^)]*)%)" do
			local x, y, z = v:match "(%S+)%s+(%S+)%s+(%S+)"
			n[#n + 1] = { tonumber(x), tonumber(z), -tonumber(y) }
		end
		if #n == 3 then
			local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
			local p, q = sub(n[1], n[2]), sub(n[3], n[2])
			local c = { p[2] * q[3] - p[3] * q[2], p[3] * q[1] - p[1] * q[3],
				p[1] * q[2] - p[2] * q[1] }
			c[4] = c[1] * n[2][1] + c[2] * n[2][2] + c[3] * n[2][3]
			planes = planes or {}
			planes[#planes + 1] = c
		elseif planes and line:match "^%s*}" then
			out[#out + 1] = mw.brush{ planes = planes }
			planes = nil
		end
	end
	return out
end

describe("csg-bsp", function()
	after_each(run.clean)

	-- A minus B: pieces at most, their volume; none overlap, all have an inside.
	local function minus(id, pieces, volume)
		local b = brushes_of(id)
		if not b then return pending "no cases" end
		local rest = b[1]:subtract(b[2])
		assert.is_true(rest.count <= pieces, rest.count)
		assert.near(volume, rest:volume(), 0.01)
		local sum, parts = 0, {}
		for i = 1, rest.count do
			local piece = rest:brush(i)
			assert.is_true(piece.volume > 0)
			sum = sum + piece.volume
			local planes = {}
			for k, face in ipairs(piece.faces) do planes[k] = { face.nx, face.ny, face.nz, face.d } end
			parts[i] = mw.brush{ planes = planes }
			for k = 1, i - 1 do assert.equal(0, parts[k]:intersect(parts[i]).count) end
		end
		assert.equal(sum, rest:volume())
		return b, rest
	end

	it("cb01: a corner is cut out", function() minus("csg-bsp/cb01", 3, 229376) end)

	it("cb03: a brush that only touches changes nothing", function()
		local b, rest = minus("csg-bsp/cb03", 1, 262144)
		if not b then return end
		assert.equal(1, rest.count)
		assert.equal(6, #rest:brush(1).faces)
		-- textures and their numbers stay: what is left, put beside the two, is written as the first
		local dir = case.copy "csg-bsp/cb03"
		run.write(dir .. "/build.lua", [[
local mw = require "mapwright"
local level = mw.level "apart.map"
local function side(keep)
	return level:brushes():clip{ normal = { 1, 0, 0 }, distance = 70, keep = keep }
end
level:add(side "back":subtract(side "front"))
mw.target.quake_map{ out = "out.map", scene = level, dialect = "classic" }
]])
		local result = run.mapwright({ "build" }, { dir = dir })
		assert.equal("", result.status ~= 0 and result.err or "")
		local written = core.qmap.read(run.read(dir .. "/out.map"), "out"):entity(1).brushes
		assert.equal(3, #written)
		local names = {}
		for i, face in ipairs(written[3].faces) do
			names[i] = face.texture
			assert.same({ { 1, 2 }, 3, { 0.5, 0.5 } }, { face.offset, face.rotation, face.scale })
			for k = 1, 3 do assert.same(written[1].faces[i].points[k], face.points[k]) end
		end
		assert.same({ "a", "b", "c", "d", "e", "f" }, names)
	end)

	it("cb04: a gap that is no overlap changes nothing", function()
		local b, rest = minus("csg-bsp/cb04", 1, 262144)
		if not b then return end
		assert.equal(1, rest.count)
		assert.equal(524288, b[1]:union(b[2]):volume())
	end)

	it("cb05: a doorway leaves three pieces", function() minus("csg-bsp/cb05", 3, 491520) end)

	it("cb07: sixty brushes through one axis make a tree at once", function()
		local b = brushes_of "csg-bsp/cb07"
		if not b then return pending "no cases" end
		assert.equal(60, #b)
		local all = b[1]
		for i = 2, #b do all = all + b[i] end
		local tree = mw.bsp.build{ brushes = all }
		local function solid_at(x, y, z) return #tree:contents_at { x, z, -y } > 0 end
		assert.is_true(solid_at(0, 0, 32))
		assert.is_false(solid_at(200, 5, 32))
		assert.is_false(solid_at(0, 0, 100))
		assert.is_true(solid_at(399, 0, 32))
		assert.is_true(tree:stats().depth <= 40)
	end)
end)
