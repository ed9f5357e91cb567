-- A reader of .hmap that was written from the format's text alone judges what we compile.
local lfs = require "lfs"
local reader = require "hmap_reader"
local run = require "run"

-- Everything the reader can say against a file.
local function judge(path, points)
	local model = reader.read(run.read(path))
	assert.equal("", reader.errors(model), path)
	local sample = reader.sample_points(model, points, 7)
	assert.same({}, reader.disagreements(model, sample, 0.001), path)
	assert.same({}, reader.leaf_misses(model), path)
	local stats = reader.bsp_stats(model, sample)
	assert.is_true(stats.depth <= 40 and stats.brushes_worst <= 40 and stats.brushes_mean <= 8, path)
	return model
end

describe("a reader by another hand", function()
	after_each(run.clean)

	it("agrees with the .hmap files of the examples", function()
		local dir, judged = run.folder(), 0
		for _, name in ipairs { "04_cellar", "05_extend_a_map" } do
			local result = run.mapwright { "build", "-q", "-o", dir, "examples/" .. name }
			assert.equal("", result.status ~= 0 and result.err or "")
		end
		for file in lfs.dir(dir) do
			if file:match "%.hmap$" then
				judge(dir .. "/" .. file, 1000)
				judged = judged + 1
			end
		end
		assert.is_true(judged >= 2)
	end)

	it("finds the batches of a sealed room watertight", function()
		local dir = run.folder()
		run.write(dir .. "/build.lua", [[
			local mw = require "mapwright"
			local level = mw.scene{ name = "room", units_per_metre = 1 }
			local stone = level:material{ name = "stone" }
			level:add(mw.room{ min = {0, 0, 0}, max = {8, 3, 6}, wall = 0.25 }:material(stone))
			mw.target.hmap{ out = "room.hmap", scene = level }]])
		local result = run.mapwright({ "build", "-q" }, { dir = dir })
		assert.equal("", result.status ~= 0 and result.err or "")
		local model = judge(dir .. "/room.hmap", 500)
		local open, stats = reader.half_edges(model, { source = 0 })
		assert.same({}, open)
		assert.same({}, stats.crowded)
		assert.is_true(stats.triangles >= 24)
	end)

	local corpus = run.shared "corpus/map"
	if not corpus then
		pending "agrees with compiled levels: no shared corpus here"
		return
	end
	for file in lfs.dir(corpus) do
		if file:match "%.map$" then
			it("agrees with " .. file .. " compiled", function()
				local out = run.folder() .. "/level.hmap"
				local result = run.mapwright { "convert", corpus .. "/" .. file, out }
				assert.equal("", result.status ~= 0 and result.err or "")
				judge(out, 300)
			end)
		end
	end
end)
