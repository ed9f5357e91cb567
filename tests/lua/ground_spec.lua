local core = require "mapwright.core"
local ground = require "mapwright.ground"
local mw = require "mapwright"
require "mapwright.image"
local project = require "mapwright.project"
local run = require "run"

local function refused(f, ...)
	local ok, message = pcall(f, ...)
	assert.is_false(ok)
	return tostring(message)
end

describe("the ground", function()
	local dir, land
	before_each(function()
		dir = run.folder()
		project.begin { root = dir }
		project.made = nil
		core.log.drain()
		land = mw.terrain { map_units = { 2, 2 }, min_height = -100, max_height = 300 }
	end)
	teardown(run.clean)

	-- Compile and look at it: the texture as an image, and what compile gave.
	local function compiled(options)
		options = options or {}
		options.name, options.temp_beside = "m", dir .. "/m.sd7"
		local made = ground.compile(land, options)
		local tiles = {}
		for i, file in ipairs(made.files) do
			local bytes = run.read(file.path)
			local magic, version, count, size, kind, at = ("<c16i4i4i4i4"):unpack(bytes)
			assert.same({ "spring tilefile\0", 1, file.count, 32, 1, 33 },
				{ magic, version, count, size, kind, at })
			assert.equal(32 + 680 * count, #bytes)
			assert.equal(count, made.tile_files[i].count)
			tiles[i] = bytes:sub(33)
		end
		return core.tile.picture(table.concat(tiles), made.tile_index, 32, 0), made
	end

	local function assert_color(want, img, x, y)
		local got = img:get(x, y)
		for i = 1, 3 do
			if math.abs(got[i] - want[i]) > 0.02 then
				error(("(%d, %d) is %.3f %.3f %.3f, want %.3f %.3f %.3f"):format(x, y, got[1], got[2],
					got[3], want[1], want[2], want[3]), 2)
			end
		end
	end

	it("is one tile without being described on flat land", function()
		local _, made = compiled()
		assert.equal(1, made.tile_files[1].count)
		assert.equal("m.smt", made.files[1].name)
		assert.equal(("\0"):rep(32 * 32 * 4), made.tile_index)
		assert.equal(699048, #made.minimap)
	end)

	it("lies where the masks say", function()
		local east = mw.source.x():step(512)
		land:ground { layers = {
			{ color = { 1, 0, 0 } },
			{ color = { 0, 0, 1 }, mask = east },
			{ color = { 0, 1, 0 }, mask = mw.source.z():step(512), opacity = 0.5 },
		} }
		local img = compiled()
		assert_color({ 1, 0, 0 }, img, 10, 10)
		assert_color({ 0, 0, 1 }, img, 512, 10)
		assert_color({ 1, 0, 0 }, img, 511, 511)
		assert_color({ 0.5, 0.5, 0 }, img, 10, 600)
		assert_color({ 0, 0.5, 0.5 }, img, 1000, 1000)
	end)

	it("follows height and slope", function()
		-- flat and low in the west, flat and high in the east, a steep step between
		land.height:map(function(_, x) return math.min(math.max(0, (x - 480) * 100 / 64), 100) end)
		land:ground { grass = { 0, 1, 0 }, rock = { 1, 0, 0 }, sand = { 0, 0, 1 }, snow = { 1, 1, 1 },
			snow_above = 95, rough = 0, rock_slope = 30, sand_below = 15 }
		local img = compiled()
		assert_color({ 0, 0, 1 }, img, 100, 500)
		assert_color({ 1, 0, 0 }, img, 512, 500)
		land.height:map(function() return 50 end)
		assert_color({ 0, 1, 0 }, (compiled()), 512, 500) -- the land as it is when built
	end)

	it("repeats a texture and takes a picture beneath", function()
		local tile = mw.image { w = 64, h = 64, color = { 1, 1, 1 } }
		tile:rect(0, 0, 32, 64, { 0, 0, 0 })
		local base = mw.image { w = 1024, h = 1024, color = { 0, 0, 1 } }
		base:rect(0, 0, 1024, 512, { 1, 0, 0 })
		land:ground { picture = base, layers = {
			{ texture = tile, scale = 64, mask = mw.source.x():step(512) } } }
		local img, made = compiled()
		assert_color({ 1, 0, 0 }, img, 100, 100)
		assert_color({ 0, 0, 1 }, img, 100, 900)
		assert_color({ 0, 0, 0 }, img, 512, 100)
		assert_color({ 1, 1, 1 }, img, 544, 100)
		assert_color({ 0, 0, 0 }, img, 576, 900)
		assert.equal(4, made.tile_files[1].count)
	end)

	it("streams a picture file, scaled with a warning when it is of another size", function()
		mw.image({ w = 512, h = 512, color = { 0, 0.5, 1 } }):save "base.png"
		land:ground { picture = "base.png" }
		local img = compiled()
		assert_color({ 0, 0.5, 1 }, img, 700, 700)
		local found
		for _, m in ipairs(core.log.drain()) do
			if m.id == "ground-picture-size" then found = m.text end
		end
		assert.matches("'base.png' is 512x512 and is scaled to 1024x1024", found)
	end)

	it("warns once that alpha is left out, and names the pictures", function()
		local function warned()
			local found = {}
			for _, m in ipairs(core.log.drain()) do
				if m.id == "ground-alpha-dropped" then found[#found + 1] = m.text end
			end
			return table.concat(found, "\n")
		end
		local function square(side, alpha)
			local img = mw.image { w = side, h = side, color = { 0, 0.5, 1 } }
			-- opaque but for one pixel, the last
			if alpha then img:set(side - 1, side - 1, { 0, 0.5, 1, alpha }) end
			return img
		end
		square(1024, 0.5):save "base.png"
		square(64, 0.5):save "grass.png"
		square(64):save "rock.png"
		square(512, 0.5):save "small.png"
		land:ground { picture = "base.png", grass = "grass.png", rock = "rock.png",
			layers = { { texture = square(8, 0), opacity = 0.5 }, { texture = "grass.png" } } }
		compiled()
		assert.equal("the ground has no alpha: that of 'base.png', 'grass.png', an image is left out",
			warned())
		land = mw.terrain { map_units = { 2, 2 }, min_height = -100, max_height = 300 }
		land:ground { picture = "small.png" } -- scaled, and read while it is used
		compiled()
		assert.equal("the ground has no alpha: that of 'small.png' is left out", warned())
		land = mw.terrain { map_units = { 2, 2 }, min_height = -100, max_height = 300 }
		land:ground { picture = square(512, 0.5), grass = "rock.png" }
		compiled()
		assert.equal("the ground has no alpha: that of an image is left out", warned())
		land = mw.terrain { map_units = { 2, 2 }, min_height = -100, max_height = 300 }
		land:ground { picture = square(512), grass = "rock.png" }
		compiled()
		assert.equal("", warned())
	end)

	it("tints by colours and by sources", function()
		land:ground { layers = {
			{ color = { 0.8, 0.8, 0.8 }, tint = { 0.5, 1, 1 }, tint_mask = mw.source.x():step(512) },
			{ color = { 0.4, 0.4, 0.4 }, mask = mw.source.z():step(512), tint_strength = 0.5,
				tint = mw.source.x():step(512) * 2 - 1 },
		} }
		local img = compiled()
		assert_color({ 0.8, 0.8, 0.8 }, img, 10, 10)
		assert_color({ 0.4, 0.8, 0.8 }, img, 1000, 10)
		assert_color({ 0.2, 0.2, 0.2 }, img, 10, 1000)
		assert_color({ 0.6, 0.6, 0.6 }, img, 1000, 1000)
	end)

	it("has grain where asked, around the same brightness", function()
		land:ground { grain = 0.5, layers = { { color = { 0.5, 0.5, 0.5 } },
			{ color = { 0.5, 0.5, 0.5 }, grain = 0, mask = mw.source.x():step(512) } } }
		local img = compiled()
		local sum, least, most = 0, 1, 0
		for i = 0, 1999 do
			local v = img:get(i * 7 % 512, i * 13 % 1024)[1]
			sum, least, most = sum + v, math.min(least, v), math.max(most, v)
		end
		assert.near(0.5, sum / 2000, 0.02)
		assert.is_true(most - least > 0.1 and most - least < 0.5)
		assert_color({ 0.5, 0.5, 0.5 }, img, 900, 77)
	end)

	it("lays later calls over earlier ones", function()
		land:ground { color = { 1, 0, 0 } }
		land:ground { layers = { { color = { 0, 1, 0 }, mask = mw.source.x():step(512) } } }
		local img = compiled()
		assert_color({ 1, 0, 0 }, img, 10, 10)
		assert_color({ 0, 1, 0 }, img, 1000, 10)
	end)

	it("is shaded by the sun where asked", function()
		land.height:map(function(_, x) return math.abs(x - 512) / 2 end) -- a valley from north to south
		land:ground { color = { 0.5, 0.5, 0.5 }, shade = 1, sun = { -1, 1, 0 } }
		local img = compiled()
		local west, east = img:get(100, 500)[1], img:get(900, 500)[1]
		assert.near(0.5 * (1 + 0.5 * -1) / math.sqrt(1.25), west, 0.02) -- turns away from the west
		assert.near(0.5 * (1 + 0.5) / math.sqrt(1.25), east, 0.02)
	end)

	it("splits its tiles over several files", function()
		land:ground { color = { 0.5, 0.5, 0.5 }, share_tiles = false }
		local img, made = compiled { smt_split = 500 }
		assert.same({ { name = "m_1.smt", count = 500 }, { name = "m_2.smt", count = 500 },
			{ name = "m_3.smt", count = 24 } }, made.tile_files)
		assert_color({ 0.5, 0.5, 0.5 }, img, 1023, 1023)
	end)

	it("leaves no file behind once closed", function()
		local _, made = compiled()
		assert.equal(1, #run.files(dir))
		made:close()
		assert.same({}, run.files(dir))
	end)

	it("shows water on the minimap only", function()
		land.height:set(-40)
		land:ground { color = { 1, 0, 0 } }
		local img, made = compiled()
		assert_color({ 1, 0, 0 }, img, 500, 500)
		assert.is_true(core.tile.minimap(made.minimap, 0):get(500, 500)[3] > 0.1)
		land:ground { color = { 1, 0, 0 }, minimap_water = false }
		made = select(2, compiled())
		assert_color({ 1, 0, 0 }, core.tile.minimap(made.minimap, 0), 500, 500)
	end)

	it("takes a minimap from a picture", function()
		mw.image({ w = 16, h = 16, color = { 0, 1, 0 } }):save "mini.png"
		local _, made = compiled { minimap = "mini.png" }
		for level = 0, 8 do
			assert_color({ 0, 1, 0 }, core.tile.minimap(made.minimap, level), 0, 0)
		end
	end)

	it("is refused at the line of the call, by name", function()
		assert.matches("ground_spec.lua:%d+: ground: unknown option 'gras' %(did you mean 'grass'%?%)",
			refused(land.ground, land, { gras = "#ffffff" }))
		assert.matches("ground: layers%[2%]: give one of 'texture' and 'color'",
			refused(land.ground, land, { layers = { { color = "#ffffff" }, { mask = 1 } } }))
		assert.matches("ground: rock: no picture 'rock.png'",
			refused(land.ground, land, { rock = "rock.png" }))
		assert.matches("'snow' needs 'snow_above'", refused(land.ground, land, { snow = "#ffffff" }))
		assert.matches("'sun' must stand above", refused(land.ground, land, { sun = { 1, 0, 0 } }))
		run.write(dir .. "/broken.png", "\x89PNG\r\n\x1a\nxxxx")
		land:ground { picture = "broken.png" }
		assert.matches("ground_spec.lua:%d+: .*broken.png", refused(compiled))
	end)
end)
