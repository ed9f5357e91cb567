local levels = require "mapwright.levellint"
local run = require "run"

-- A brush over two corners, one face a line; `change(i, line)` may replace faces 1..6.
local function box(lo, hi, change)
	local function p(x, y, z) return ("( %s %s %s )"):format(x, y, z) end
	local x0, y0, z0, x1, y1, z1 = lo[1], lo[2], lo[3], hi[1], hi[2], hi[3]
	local faces = {
		{ p(x0, y0, z1), p(x0, y0, z0), p(x0, y1, z0) }, { p(x1, y1, z0), p(x1, y0, z0), p(x1, y0, z1) },
		{ p(x1, y0, z0), p(x0, y0, z0), p(x0, y0, z1) }, { p(x0, y1, z1), p(x0, y1, z0), p(x1, y1, z0) },
		{ p(x0, y1, z0), p(x0, y0, z0), p(x1, y0, z0) }, { p(x1, y0, z1), p(x0, y0, z1), p(x0, y1, z1) },
	}
	local out = { "{" }
	for i, f in ipairs(faces) do
		local line = table.concat(f, " ") .. " stone 0 0 0 1 1"
		out[#out + 1] = change and change(i, line) or line
	end
	return table.concat(out, "\n") .. "\n}\n"
end

local function level(brushes, more)
	local path = run.folder() .. "/x.map"
	run.write(path, '{\n"classname" "worldspawn"\n' .. brushes .. "}\n" .. (more or ""))
	return path
end

-- "line rule" of what lint finds
local function found(path, disabled)
	local out = {}
	for i, f in ipairs(levels.check(path, { disabled = disabled or {} })) do
		out[i] = f.line .. " " .. f.id
	end
	return out
end

describe("lint of a level", function()
	after_each(run.clean)

	it("finds nothing in a plain box", function()
		assert.same({}, found(level(box({ 0, 0, 0 }, { 64, 64, 64 }))))
	end)

	it("names shapes with their lines", function()
		local cases = {
			{ box({ 0, 0, 0 }, { 0.125, 0.125, 0.125 }), "3 map-brush-micro" },
			{ box({ 0, 0, 0 }, { 64, 64, 0.03125 }), "3 map-brush-sliver", "3 map-off-grid" },
			{ box({ 0, 0, 0 }, { 64, 64, 8192 }), "3 map-bounds" },
			{ box({ 0, 0, 0 }, { 64, 64, 64.3 }), "3 map-off-grid" },
			{ box({ 0, 0, 0 }, { 64, 64, 64 }, function(i) return i == 6 and "" or nil end),
				"3 map-brush-open" },
			{ box({ 0, 0, 0 }, { 64, 64, 64 }, function(i, line)
				return i == 6 and line .. "\n" .. line or nil
			end), "10 map-face-repeated" },
			{ box({ 0, 0, 0 }, { 64, 64, 64 }, function(i, line)
				local near = "\n( 0 0 64.0005 ) ( 0 64 64.0005 ) ( 64 0 63.9995 ) a 0 0 0 1 1"
				return i == 6 and line .. near or nil
			end), "3 map-off-grid", "10 map-plane-near" },
			{ box({ 0, 0, 0 }, { 64, 64, 64 }) .. box({ 64.03125, 0, 0 }, { 96, 64, 64 }),
				"5 map-gap", "11 map-off-grid" },
			{ box({ 0, 0, 0 }, { 64, 64, 64 }) .. box({ 64.03125, 70, 0 }, { 96, 80, 64 }),
				"11 map-off-grid" },
			{ "{\n}\n", "3 map-brush-open" },
		}
		for i, case in ipairs(cases) do
			assert.same({ table.unpack(case, 2) }, found(level(case[1])), "case " .. i)
		end
	end)

	it("names what entities say of nothing", function()
		local path = level("", [[
{
"classname" "trigger_once"
"target" "door"
"target" "gate"
"targetname" "me"
"OnUse" "lamp,On,,0,1"
"OnUse" "door,Open,,0,1"
}
{
"classname" "func_door"
"targetname" "door"
}
{
"origin" "0 0 0"
}
]])
		assert.same({ "7 map-key-repeated", "7 map-target-unknown", "8 map-target-unused",
			"9 map-target-unknown", "16 map-classname" }, found(path))
		assert.same({ "16 map-classname" }, found(path, { ["map-key-repeated"] = true,
			["map-target-unknown"] = true, ["map-target-unused"] = true }))
	end)

	it("names all errors of the text and ends with 1", function()
		local path = run.folder() .. "/x.map"
		run.write(path, "glue\n{\n\"a\"\n}\n")
		assert.same({ "1 map-outside", "3 map-pair" }, found(path))
		local result = run.mapwright { "lint", path }
		assert.equal(1, result.status)
		assert.matches("x%.map:3:1: error: entity 0: not a key value pair: no value after key 'a'",
			result.out)
	end)

	it("knows every rule that it reports", function()
		for _, id in ipairs(levels.rules.ids()) do
			local result = levels.rules.find(id)
			assert.is_truthy(result.title ~= "" and result.text ~= "")
		end
		local result = run.mapwright { "lint", "--explain", "map-gap" }
		assert.equal(0, result.status)
		assert.matches("too small to be meant", result.out)
		assert.equal(2, run.mapwright({ "lint", "--disable=map-gab", "x.map" }).status)
	end)

	it("mends what can be mended, and writes it when told", function()
		local path = level(box({ 0, 0, 0 }, { 64, 64, 64.005 }, function(i, line)
			return i == 6 and line .. "\n" .. line or nil
		end))
		local before = run.read(path)
		local result = run.mapwright { "lint", "--fix", path }
		assert.matches("\n%-%( 64 0 64%.005 %)", result.out)
		assert.equal(before, run.read(path))
		run.mapwright { "lint", "--fix", "--write", path }
		assert.same({}, found(path))
		assert.equal('{\n"classname" "worldspawn"\n' .. box({ 0, 0, 0 }, { 64, 64, 64 }) .. "}\n",
			run.read(path))
	end)

	-- The text after lint --fix --write.
	local function mended(text)
		local path = run.folder() .. "/x.map"
		run.write(path, text)
		run.mapwright { "lint", "--fix", "--write", path }
		return run.read(path)
	end
	local function world(brushes) return '{\n"classname" "worldspawn"\n' .. brushes .. "}\n" end
	local function twice(i, line) return i == 6 and line .. "\n" .. line or nil end

	it("leaves a brush alone that would become another solid, and mends the others", function()
		-- the points of the slope lie 1 apart and its far end 1000 away: 0.009 there is 9 here
		local sloped = box({ 0, 0, 0 }, { 1000, 64, 64 }, function(i)
			return i == 6 and "( 1 0 32 ) ( 0 0 32.009 ) ( 0 1 32.009 ) stone 0 0 0 1 1" or nil
		end)
		local near, plain = box({ 0, 100, 0 }, { 64, 164, 64.005 }, twice),
			box({ 0, 100, 0 }, { 64, 164, 64 })
		assert.equal(world(sloped .. plain), mended(world(sloped .. near)))
	end)

	it("takes out faces where points cannot be moved", function()
		-- two thousandths thick: on whole numbers it would be flat
		local flat = { { 0, 0, 0 }, { 64, 64, 0.002 } }
		assert.equal(world(box(flat[1], flat[2])), mended(world(box(flat[1], flat[2], twice))))
	end)

	it("moves points of faces only, not numbers of a matrix or of a value", function()
		local value = '"message" "see\n( 0.999 0 0 ) ( 1 0 0 ) ( 0 1 0 ) x 0 0 0 1 1"\n'
		assert.equal(world(value), mended(world(value)))
		local planes = { "1 0 0 -64", "-1 0 0 0", "0 1 0 -64", "0 -1 0 0", "0 0 1 -64", "0 0 -1 0" }
		for i, p in ipairs(planes) do
			planes[i] = ('( %s ) ( ( 0.0078 0 0 ) ( 0 0.0078 0 ) ) "stone" 0 0 0\n'):format(p)
		end
		local doom = 'Version 2\n{\n"classname" "worldspawn"\n{\nbrushDef3\n{\n'
			.. table.concat(planes) .. "}\n}\n}\n"
		assert.equal(doom, mended(doom))
	end)

	it("keeps line ends of any kind", function()
		for _, eol in ipairs { "\r\n", "\r", "\n" } do
			local broken = world(box({ 0, 0, 0 }, { 64, 64, 64 }, twice)):gsub("\n", eol)
			local good = world(box({ 0, 0, 0 }, { 64, 64, 64 })):gsub("\n", eol)
			assert.equal(good, mended(broken))
			assert.equal(good:sub(1, -1 - #eol), mended(broken:sub(1, -1 - #eol)))
		end
	end)
end)

describe("lint of several files", function()
	after_each(run.clean)

	it("says what it found in the others when one cannot be read", function()
		local path = level(box({ 0, 0, 0 }, { 64, 64, 64 }, function(i, line)
			return i == 6 and "glue" or line
		end))
		local dir = path:match "^(.*)/"
		run.write(dir .. "/cut.hmap", "HMAP")
		local result = run.mapwright({ "lint", "cut.hmap", "x.map" }, { dir = dir })
		assert.equal(1, result.status)
		assert.matches("cut%.hmap@0x4: header%.version: needs 4 bytes, 0 are left", result.err)
		assert.matches("x%.map:9:1: warning: .-%[map%-face%-extra%]", result.out)
	end)
end)
