local core = require "mapwright.core"
local mw = require "mapwright"
local qmap = require "mapwright.format.qmap"
local run = require "run"

-- A room of 256 x 256 x 128 with walls of 16, somebody in it looking west, and a light.
local function room()
	local out = { '{\n"classname" "worldspawn"\n"message" "a \\"room\\""\n' }
	local function box(x0, y0, z0, x1, y1, z1, texture)
		out[#out + 1] = ("{\n" .. ("( %s ) ( %s ) ( %s ) " .. texture .. " 0 0 0 1 1\n"):rep(6) .. "}\n")
			:format(x0 .. " " .. y0 .. " " .. z1, x0 .. " " .. y0 .. " " .. z0,
			x0 .. " " .. y1 .. " " .. z0,
			x1 .. " " .. y1 .. " " .. z0, x1 .. " " .. y0 .. " " .. z0, x1 .. " " .. y0 .. " " .. z1,
			x1 .. " " .. y0 .. " " .. z0, x0 .. " " .. y0 .. " " .. z0, x0 .. " " .. y0 .. " " .. z1,
			x0 .. " " .. y1 .. " " .. z1, x0 .. " " .. y1 .. " " .. z0, x1 .. " " .. y1 .. " " .. z0,
			x0 .. " " .. y1 .. " " .. z0, x0 .. " " .. y0 .. " " .. z0, x1 .. " " .. y0 .. " " .. z0,
			x1 .. " " .. y0 .. " " .. z1, x0 .. " " .. y0 .. " " .. z1, x0 .. " " .. y1 .. " " .. z1)
	end
	box(-16, -16, -16, 272, 272, 0, "floor")
	box(-16, -16, 128, 272, 272, 144, "ceiling")
	box(-16, -16, 0, 0, 272, 128, "wall")
	box(256, -16, 0, 272, 272, 128, "wall")
	box(0, -16, 0, 256, 0, 128, "wall")
	box(0, 256, 0, 256, 272, 128, "wall")
	out[#out + 1] = '}\n{\n"classname" "info_player_start"\n"origin" "128 128 24"\n"angle" "180"\n}\n'
		.. '{\n"classname" "light"\n"origin" "128 128 100"\n"light" "250"\n}\n'
	return table.concat(out)
end

local function file(text)
	local path = run.folder() .. "/x.map"
	run.write(path, text)
	return path
end

local function entity_keys(model, i)
	local out = {}
	for _, pair in ipairs(model:entity(i).pairs) do out[#out + 1] = pair[1] .. "=" .. pair[2] end
	return table.concat(out, " ")
end

describe("a level text as a scene", function()
	after_each(run.clean)

	it("comes back with the same faces and keys", function()
		local scene = qmap.load(file(room()))
		local bytes, losses = qmap.save(scene, { dialect = "classic", comments = false })
		assert.same({}, losses)
		local back = core.qmap.read(bytes, "back")
		assert.equal(6, (back:solids()).brushes)
		assert.equal('classname=worldspawn message=a "room"', entity_keys(back, 1))
		assert.equal("classname=info_player_start origin=128 128 24 angle=180", entity_keys(back, 2))
		assert.equal("classname=light origin=128 128 100 light=250", entity_keys(back, 3))
		assert.equal(room(), bytes)
	end)

	it("has the units that it is asked for", function()
		local scene = qmap.load(file(room()), { scene_units_per_metre = 1 })
		local bytes = qmap.save(scene, { dialect = "valve220", units_per_metre = 64 })
		local back = core.qmap.read(bytes, "back")
		assert.same({ 544, 544, 288 }, (back:solids()).max)
		assert.equal("classname=worldspawn mapversion=220 message=a \"room\" _hf_units_per_metre=64",
			entity_keys(back, 1))
		assert.equal("classname=info_player_start origin=256 256 48 angle=180", entity_keys(back, 2))
	end)

	it("knows the sizes of textures when it is told where they are", function()
		local path = file(room())
		local dir = path:match "^(.*)/"
		run.write(dir .. "/wall.png", core.image.encode(core.image.new(256, 128), 6))
		local function repeats(settings)
			local hmap = core.hmap.from_scene(qmap.load(path, settings))
			hmap:compile {}
			local low, high = 1, 0
			for i = 1, hmap:level().batches do
				local batch = hmap:batch(i)
				for _, v in ipairs(hmap:materials()[batch.material + 1].name == "wall"
					and batch.vertices or {}) do
					low, high = math.min(low, v[8]), math.max(high, v[8])
				end
			end
			return high - low
		end
		-- walls are 128 units high inside, one texel a unit: two of 64, one of 128
		assert.is_true(math.abs(repeats() - 2) < 1e-6)
		assert.is_true(math.abs(repeats { textures = dir } - 1) < 1e-6)
		-- and the way back writes the same text
		local bytes = qmap.save(qmap.load(path, { textures = dir }), { dialect = "classic",
			comments = false })
		assert.equal(room(), bytes)
	end)

	it("is refused with all that is wrong with the text", function()
		local ok, problem = pcall(qmap.load, file '{\n"a"\n}\n}\nglue\n')
		assert.is_false(ok)
		assert.matches("x%.map:2:1: not a key value pair", problem.message)
		assert.matches("x%.map:4:1: closing brace with nothing open", problem.message)
		assert.matches("x%.map:5:1: text outside any block", problem.message)
	end)

	it("changes its dialect without losing what is open", function()
		local path = file('{\n"classname" "worldspawn"\n{\n( 0 0 1 ) ( 0 0 0 ) ( 0 1 0 ) a 1 2 3 4 5\n'
			.. "}\n}\n")
		local bytes, losses = qmap.convert(path, { dialect = "quake2", comments = false },
			{ dialect = "quake2" })
		assert.same({}, losses)
		assert.matches("%( 0 0 1 %) %( 0 0 0 %) %( 0 1 0 %) a 1 2 3 4 5 0 0 0\n", bytes)
	end)

	it("leaves out faces without a plane where faces are planes, and says so", function()
		-- the last face's points lie on one line; the brush has six more
		local flat = "( 0 0 0 ) ( 1 1 1 ) ( 2 2 2 ) wall 0 0 0 1 1\n"
		local path = file((room():gsub("\n}\n}", "\n" .. flat .. "}\n}", 1)))
		local bytes, losses = qmap.convert(path, { dialect = "doom3" }, { dialect = true })
		local solids = core.qmap.read(bytes, "doom"):solids()
		assert.same({ 6, 36, 0, 0 }, { solids.brushes, solids.faces, solids.open, solids.dropped })
		assert.same({ { one = "face without a plane", many = "faces without a plane", count = 1 } },
			losses)
		-- and the other way round: a plane without a direction
		run.write(path, (bytes:gsub("%( 1 0 0 [^)]*%)", "%0 ( ( 1 0 0 ) ( 0 1 0 ) ) \"a\" 0 0 0\n"
			.. "( 0 0 0 5 )", 1)))
		bytes, losses = qmap.convert(path, { dialect = "classic" }, { dialect = true })
		assert.equal(36, core.qmap.read(bytes, "again"):solids().faces)
		assert.equal("face without a plane", losses[1].one)
	end)

	it("names what the dialect cannot hold", function()
		local path = file('{\n"classname" "worldspawn"\n{\n'
			.. "( 0 0.25 1 ) ( 0 0 0 ) ( 0 1 0 ) a 1 2 3 4 5 7 8 9\n}\n"
			.. "{ patchDef2 { p ( 1 1 0 0 0 ) ( ( ( 0 0 0 0 0 ) ) ) } }\n}\n")
		local _, losses = qmap.convert(path, { dialect = "valve220", decimals = 0 },
			{ dialect = "valve220" })
		assert.same({ "patch", "face's surface flags", "face moved by up to 0.25" },
			{ losses[1].one, losses[2].one, losses[3].one })
		assert.equal(3, #losses)
	end)
end)

describe("preview of a level", function()
	after_each(run.clean)

	local function picture(view, size)
		local path = file(room())
		local out = path:gsub("%.map$", ".png")
		local result = run.mapwright { "preview", path, "-o", out, "--view", view, "--size", size }
		assert.equal("", result.status ~= 0 and result.err or "")
		local w, h = (">I4I4"):unpack(run.read(out), 17)
		return w, h, core.image.decode(run.read(out))
	end

	it("has the size that it is asked for", function()
		for _, view in ipairs { "top", "front", "side", "persp", "start" } do
			local w, h = picture(view, "160x100")
			assert.same({ 160, 100 }, { w, h }, view)
		end
		local w, h = picture("front", "144")
		assert.same({ 144, 80 }, { w, h })
	end)

	it("shows where a plan cuts walls", function()
		-- 288 units are 288 * 0.53 * 2 / 300 a pixel high: walls are the outer 16 units
		local w, h, image = picture("top", "300x300")
		assert.same({ 300, 300 }, { w, h })
		local function is_cut(x, y)
			local c = image:get(x, y)
			-- bluish grey: nothing else in the level is darker than half and not background
			return c[3] > c[1] + 0.02 and c[3] > 0.15 and c[3] < 0.4
		end
		local first, last = 150 - 150 / 1.06, 150 + 150 / 1.06 -- edges of the box [unit: px]
		local wall = 16 / 288 * (last - first)
		for _, y in ipairs { 60, 150, 240 } do
			assert.is_true(is_cut(math.ceil(first + wall / 2), y))
			assert.is_true(is_cut(math.floor(last - wall / 2), y))
			assert.is_true(is_cut(y, math.ceil(first + wall / 2)))
			for x = math.ceil(first + wall) + 2, math.floor(last - wall) - 2 do
				assert.is_false(is_cut(x, y))
			end
		end
	end)

	it("takes textures from beside the level or from a folder", function()
		local path = file(room())
		local dir = path:match "^(.*)/"
		assert(os.execute("mkdir -p " .. run.quote(dir .. "/far/deep")))
		local red = core.image.encode(mw.image { w = 16, h = 16, color = "#ff0000" }, 6)
		run.write(dir .. "/far/deep/Wall.PNG", red)
		local function middle(...)
			local result = run.mapwright { "preview", path, "-o", dir .. "/o.png", "--view", "start",
				"--size", "64x64", ... }
			assert.equal(0, result.status, result.err)
			local c = core.image.decode(run.read(dir .. "/o.png")):get(32, 28)
			return c[1] > 0.3 and c[2] < 0.05
		end
		assert.is_false(middle())
		assert.is_true(middle("--textures", dir .. "/far"))
		run.write(dir .. "/wall.png", red)
		assert.is_true(middle())
		local result = run.mapwright { "preview", path, "-o", dir .. "/o.png",
			"--textures", dir .. "/no" }
		assert.equal(1, result.status)
		assert.matches("no: no folder to look for textures in", result.err)
	end)

	it("refuses baked light where there is none", function()
		local path = file(room())
		local result = run.mapwright { "preview", path, "-o", path .. ".png", "--light" }
		assert.equal(1, result.status)
		assert.matches("%-%-light: .*x%.map holds no baked light", result.err)
	end)

	it("refuses a view of another kind of map", function()
		local path = file(room())
		local result = run.mapwright { "preview", path, "-o", path .. ".png", "--view", "relief" }
		assert.equal(1, result.status)
		assert.matches("%-%-view relief does not go with .*x%.map; there is top, front, side, persp,"
			.. " start", result.err)
		assert.is_false(run.exists(path .. ".png"))
	end)
end)
