local format = require "mapwright.format"
local run = require "run"

local function file(text)
	local path = run.folder() .. "/x.map"
	run.write(path, text)
	return path
end

-- A box of 64 x 32 x 16 in the style of Quake.
local box = [[
{
( 0 0 16 ) ( 0 0 0 ) ( 0 32 0 ) stone 0 0 0 1 1
( 64 32 0 ) ( 64 0 0 ) ( 64 0 16 ) stone 0 0 0 1 1
( 64 0 0 ) ( 0 0 0 ) ( 0 0 16 ) stone 0 0 0 1 1
( 0 32 16 ) ( 0 32 0 ) ( 64 32 0 ) stone 0 0 0 1 1
( 0 32 0 ) ( 0 0 0 ) ( 64 0 0 ) stone 0 0 0 1 1
( 64 0 16 ) ( 0 0 16 ) ( 0 32 16 ) stone 0 0 0 1 1
}
]]

describe("info of a level text", function()
	after_each(run.clean)

	it("counts what is there", function()
		local info, findings = format.info(file('{ "classname" "worldspawn"\n' .. box .. "}\n"
			.. '{ "classname" "light" }\n'))
		assert.same({}, findings)
		assert.equal("qmap", info.kind)
		assert.equal("classic", info.dialect)
		assert.equal("Standard", info.format)
		assert.equal(2, info.entities)
		assert.equal(1, info.point_entities)
		assert.equal(1, info.brush_entities)
		assert.equal(1, info.brushes)
		assert.equal(6, info.faces)
		assert.equal(0, info.patches)
		assert.equal(0, info.open_brushes)
		assert.equal(0, info.dropped_faces)
		assert.same({ 0, 0, 0 }, info.bounds.min)
		assert.same({ 64, 32, 16 }, info.bounds.max)
		assert.equal(64 * 32 * 16, info.volume)
	end)

	it("names every error of the text with line and column", function()
		local path = file '{ "classname" "worldspawn"\n{\nbrick\n}\n"key"\n}\n'
		local result = run.mapwright { "info", path }
		assert.equal(1, result.status)
		assert.matches("x%.map:3:1: error: a face, or a { after 'brick', is missing %[map%-face%]",
			result.err)
		assert.matches("x%.map:5:1: error: not a key value pair: no value after key 'key'",
			result.err)
	end)

	it("turns brushes that are inside out", function()
		local text = box:gsub("(%( [^)]* %)) (%( [^)]* %)) (%( [^)]* %))", "%3 %2 %1")
		local info, findings = format.info(file('{ "classname" "worldspawn"\n' .. text .. "}\n"))
		assert.equal(1, info.brushes)
		assert.equal("map-brush-inverted", findings[1].rule)
		assert.equal(2, findings[1].line)
	end)
end)

describe("dump of a level text", function()
	after_each(run.clean)

	it("is stable text with everything in it", function()
		local out = {}
		format.dump(file('{ "classname" "worldspawn"\n' .. box .. "{ }\n}\n"), function(text)
			out[#out + 1] = text
		end)
		out = table.concat(out)
		assert.matches('^qmap {\n\tdialect = "classic",\n\t{ %-%- entity 0\n\t\tline = 1,\n'
			.. '\t\t{ "classname", "worldspawn" },\n\t\tbrushes = {\n', out)
		assert.matches('{ "stone", points = { { 0, 0, 16 }, { 0, 0, 0 }, { 0, 32, 0 } }, '
			.. 'offset = { 0, 0 }, rotation = 0, scale = { 1, 1 } },', out, 1, true)
		assert.matches('{ line = 10, "map-brush-open", "brush 1 of entity 0 (worldspawn) has no faces" }',
			out, 1, true)
	end)
end)
