-- No cracks: the triangles of compiled levels, edge by edge and with exact positions.
--
-- The surface of what is solid is closed, whatever else stands in the level. Three kinds of edges
-- end nowhere, and rightly so: water is not drawn where it meets a solid, which stays whole behind
-- its border; what is drawn without being solid is cut by solids and water in the same way; and
-- faces of skip, nodraw and caulk are not drawn at all. So a level is compiled twice more from its
-- own source, with a material for each kind of face: once as it is, once with the hidden faces
-- drawn. Without those the second has to have the open edges of the first, in length (corners
-- between may differ).
local lfs = require "lfs"
local reader = require "hmap_reader"
local run = require "run"

local HIDDEN = 0x10000 -- mapwright-hmap(5): bit 16 of a face's flags

-- The material of a face: 4 solid or sky, 2 water, 0 drawn only; one more where it is hidden.
local function kind_of(contents, flags)
	local rank = contents & (reader.SOLID | reader.SKY) ~= 0 and 4
		or contents & reader.WATER ~= 0 and 2 or 0
	return rank + (flags & HIDDEN ~= 0 and 1 or 0)
end

local function chunk(tag, payload) return tag .. ("<s4"):pack(payload) end

-- The source of a level with materials by kind, and without hidden faces if show is true.
local function by_kind(bytes, show)
	local model = reader.read(bytes)
	local out = { bytes:sub(1, 12) }
	for _, c in ipairs(model.chunks) do
		local payload = bytes:sub(c.at + 9, c.at + 8 + c.size)
		if c.tag == "META" or c.tag == "ENTS" then
			out[#out + 1] = chunk(c.tag, payload)
		elseif c.tag == "BRSH" then
			local parts = { payload:sub(1, 4) }
			for _, b in ipairs(model.brushes) do
				parts[#parts + 1] = ("<I4I4I4I4I4"):pack(b.id, b.owner, b.contents, b.flags, #b.faces)
				for _, f in ipairs(b.faces) do
					local n = f.plane.n
					parts[#parts + 1] = ("<ffffi4fffffI4"):pack(n[1], n[2], n[3], f.plane.d,
						kind_of(b.contents, f.flags), 0, 0, 1, 1, 0,
						show and f.flags & ~HIDDEN or f.flags)
				end
			end
			out[#out + 1] = chunk("BRSH", table.concat(parts))
		end
	end
	local mats = { ("<I4"):pack(6) }
	for i = 0, 5 do
		mats[#mats + 1] = ("<s4s4fffffI4"):pack("kind" .. i, "", 1, 1, 1, 1, 1, 0)
	end
	table.insert(out, 2, chunk("MATS", table.concat(mats)))
	return table.concat(out)
end

local function compiled(bytes, dir, settings)
	run.write(dir .. "/kinds.hmap", bytes)
	local result = run.mapwright { "convert", "-q", dir .. "/kinds.hmap", dir .. "/out.hmap", "--set",
		"content=compiled", table.unpack(settings or {}) }
	assert.equal("", result.status ~= 0 and result.err or "")
	return reader.read(run.read(dir .. "/out.hmap"))
end

local function kinds(least, most, odd)
	return function(batch)
		return batch.material >= least and batch.material <= most
			and (odd or batch.material % 2 == 0)
	end
end

local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

-- How far p is from a triangle, squared: in its middle, at its sides or at its corners.
local function far(p, t)
	local ab, ac, ap = sub(t[2], t[1]), sub(t[3], t[1]), sub(p, t[1])
	local d1, d2, d3, d4, d5 = dot(ab, ab), dot(ab, ac), dot(ac, ac), dot(ap, ab), dot(ap, ac)
	local den = d1 * d3 - d2 * d2
	local v, w = (d3 * d4 - d2 * d5) / den, (d1 * d5 - d2 * d4) / den
	if v >= 0 and w >= 0 and v + w <= 1 then
		return math.max(0, dot(ap, ap) - v * d4 - w * d5)
	end
	local least = math.huge
	for i = 1, 3 do
		local a, d = t[i], sub(t[i % 3 + 1], t[i])
		local along = math.max(0, math.min(1, dot(sub(p, a), d) / dot(d, d)))
		local e = sub(p, { a[1] + d[1] * along, a[2] + d[2] * along, a[3] + d[3] * along })
		least = math.min(least, dot(e, e))
	end
	return least
end

-- Says whether a point lies on one of the triangles of the batches that are asked for.
local function surface(model, only, tolerance, cell)
	local cells = {}
	local function each(lo, hi, f)
		for i = (lo[1] - tolerance) // cell, (hi[1] + tolerance) // cell do
			for k = (lo[3] - tolerance) // cell, (hi[3] + tolerance) // cell do
				f(i * 65536 + k)
			end
		end
	end
	for _, batch in ipairs(model.compiled.batches) do
		for i = 1, only(batch) and #batch.indices or 0, 3 do
			local t, lo, hi = {}, {}, {}
			for k = 1, 3 do t[k] = batch.pos[batch.indices[i + k - 1] + 1] end
			for a = 1, 3 do
				lo[a] = math.min(t[1][a], t[2][a], t[3][a])
				hi[a] = math.max(t[1][a], t[2][a], t[3][a])
			end
			each(lo, hi, function(key)
				cells[key] = cells[key] or {}
				table.insert(cells[key], t)
			end)
		end
	end
	return function(p)
		for _, t in ipairs(cells[p[1] // cell * 65536 + p[3] // cell] or {}) do
			if far(p, t) <= tolerance * tolerance then return true end
		end
		return false
	end
end

local function length(open)
	local sum = 0
	for _, e in ipairs(open) do
		local d = sub(e.b, e.a)
		sum = sum + math.sqrt(dot(d, d)) * math.abs(e.forward - e.back)
	end
	return sum
end

-- Edges of which an end or the middle is not on a surface.
local function off(open, on)
	local out = {}
	for _, e in ipairs(open) do
		local middle = { (e.a[1] + e.b[1]) / 2, (e.a[2] + e.b[2]) / 2, (e.a[3] + e.b[3]) / 2 }
		if not (on(e.a) and on(middle) and on(e.b)) then out[#out + 1] = e end
	end
	return out
end

-- Where edges are, in order.
local function places(open)
	local out = {}
	for i, e in ipairs(open) do
		local a, b = table.concat(e.a, " "), table.concat(e.b, " ")
		out[i] = ("%d: %s, %s"):format(e.model, a < b and a or b, a < b and b or a)
	end
	table.sort(out)
	return out
end

local rows = {}

local function judge(name, path)
	local dir = run.folder()
	local result = run.mapwright { "convert", "-q", path, dir .. "/source.hmap", "--set",
		"content=source" }
	assert.equal("", result.status ~= 0 and result.err or "")
	local source = run.read(dir .. "/source.hmap")
	local shown = compiled(by_kind(source, true), dir)
	local as_is = compiled(by_kind(source, false), dir)

	-- twice what welding may move a corner by: 1/2048 of a metre
	local tolerance = 2 * shown.meta.units_per_meter / 2048
	local solid = reader.half_edges(shown, { only = kinds(4, 5, true) })
	assert.same({}, solid, name .. ": the surface of solids")

	-- water ends at solids, what is only drawn at either
	local weak, loose = {}, {}
	for kind = 0, 2, 2 do
		local open = reader.half_edges(shown, { only = kinds(kind, kind + 1, true) })
		table.move(open, 1, #open, #weak + 1, weak)
		open = off(open, surface(shown, kinds(kind + 2, 5, true), tolerance,
			8 * shown.meta.units_per_meter))
		table.move(open, 1, #open, #loose + 1, loose)
	end
	assert.same({}, loose, name .. ": borders of water on no solid")

	-- what is hidden leaves the border that the hidden triangles had
	local open = reader.half_edges(as_is)
	local border = reader.half_edges(shown, { only = kinds(0, 5) })
	assert.is_true(math.abs(length(open) - length(border)) <= 1e-3 * length(border), name)
	local _, stats = reader.half_edges(as_is)
	rows[#rows + 1] = ("%-20s %9d %7d %6d %6d %10.1f %10.1f"):format(name, stats.triangles, #solid,
		#weak, #open, length(open), length(border))
	return as_is, source, dir
end

describe("the batches of", function()
	setup(function()
		rows[1] = ("%-20s %9s %7s %6s %6s %10s %10s"):format("open edges", "triangles", "solid",
			"water", "all", "length", "derived")
	end)
	after_each(run.clean)
	teardown(function() print("\n" .. table.concat(rows, "\n")) end)

	it("the examples have no cracks", function()
		for _, name in ipairs { "04_cellar", "05_extend_a_map" } do
			local dir = run.folder()
			local result = run.mapwright { "build", "-q", "-o", dir, "examples/" .. name }
			assert.equal("", result.status ~= 0 and result.err or "")
			for file in lfs.dir(dir) do
				if file:match "%.hmap$" then
					-- as it was built, baked or not: as many open edges as the same by kinds
					local open = reader.half_edges(reader.read(run.read(dir .. "/" .. file)),
						{ source = 0 })
					local border = reader.half_edges((judge(file, dir .. "/" .. file)))
					assert.is_true(math.abs(length(open) - length(border)) <= 1e-3 * length(border))
				end
			end
		end
	end)

	local corpus = run.shared "corpus/map"
	if not corpus then
		pending "real levels have no cracks: no shared corpus here"
		return
	end
	for file in lfs.dir(corpus) do
		if file:match "%.map$" then
			it(file .. " have no cracks", function()
				local as_is, source, dir = judge(file, corpus .. "/" .. file)
				local result = run.mapwright { "convert", "-q", corpus .. "/" .. file,
					dir .. "/level.hmap" }
				assert.equal("", result.status ~= 0 and result.err or "")
				local real = reader.read(run.read(dir .. "/level.hmap"))
				assert.same(places(reader.half_edges(as_is)), places(reader.half_edges(real)))
				if #source < 400000 then -- cut for light, and with all that brushes hide
					for _, setting in ipairs { "bake_light=true", "keep_hidden=true" } do
						local other = compiled(by_kind(source, true), dir, { "--set", setting })
						assert.same({}, (reader.half_edges(other, { only = kinds(4, 5, true) })))
					end
				end
			end)
		end
	end
end)
