local opts = require "mapwright.opts"

local room = {
	name = "room",
	{ name = "wall", type = "number", default = 0.25, min = 0.01, max = 64, unit = "scene unit" },
	{ name = "sides", type = "integer", min = 3, max = 64 },
	{ name = "dialect", enum = { "classic", "valve220" } },
	{ name = "tint", type = "color" },
	{ name = "at", type = "point", required = true, doc = "Where it stands." },
	{ name = "points", type = "list", of = "point" },
}

-- The message without the place in front of it, and the place.
local function refused(given)
	local ok, message = pcall(opts.check, room, given)
	assert.is_false(ok)
	local place, text = message:match "^(.-:%d+): (.*)$"
	return text, place
end

describe("option tables", function()
	it("fill in defaults and convert values", function()
		local o = opts.check(room, { at = { 3, 4 }, tint = "#ff8000" })
		assert.equal(0.25, o.wall)
		assert.same({ x = 3, z = 4 }, o.at)
		assert.same({ 1, 128 / 255, 0 }, o.tint)
	end)

	it("name the nearest option for an unknown one", function()
		assert.equal("room: unknown option 'wal' (did you mean 'wall'?)",
			(refused { at = { 0, 0 }, wal = 1 }))
	end)

	it("list all options where none is near", function()
		assert.equal("room: unknown option 'height' (known: wall, sides, dialect, tint, at, points)",
			(refused { at = { 0, 0 }, height = 1 }))
	end)

	it("keep a unit that is a quotient in the singular", function()
		local ok, message = pcall(opts.value, { name = "metal", type = "number", min = 0, max = 9,
			unit = "metal/second" }, 10, "spot")
		assert.is_false(ok)
		assert.matches("'metal' = 10 is outside 0%.%.9 metal/second$", message)
	end)

	it("point at the line of the call", function()
		local line = debug.getinfo(1, "l").currentline + 1
		local ok, message = pcall(function() opts.check(room, { at = { 0, 0 }, wal = 1 }) return 1 end)
		assert.is_false(ok)
		assert.matches("opts_spec%.lua:" .. line .. ": ", message)
	end)

	it("say the range with its unit", function()
		assert.equal("room: 'wall' = 400 is outside 0.01..64 scene units",
			(refused { at = { 0, 0 }, wall = 400 }))
	end)

	it("refuse fractions where whole numbers are meant", function()
		assert.equal("room: 'sides' = 128.5 is not a whole number",
			(refused { at = { 0, 0 }, sides = 128.5 }))
		assert.equal(8, opts.check(room, { at = { 0, 0 }, sides = 8.0 }).sides)
	end)

	it("list what an enum allows", function()
		assert.equal("room: 'dialect' must be one of 'classic', 'valve220', got 'valve'",
			(refused { at = { 0, 0 }, dialect = "valve" }))
		assert.equal("room: 'dialect' must be one of 'classic', 'valve220', got 'clasic'"
			.. " (did you mean 'classic'?)", (refused { at = { 0, 0 }, dialect = "clasic" }))
	end)

	it("say which option is missing and what it is for", function()
		assert.equal("room: 'at' is required (Where it stands)", (refused {}))
	end)

	it("refuse nan, infinities and values of another type", function()
		assert.equal("room: 'wall' must be a number, got nan", (refused { at = { 0, 0 }, wall = 0 / 0 }))
		assert.equal("room: 'wall' must be a number, got 'x'", (refused { at = { 0, 0 }, wall = "x" }))
		assert.equal("room: 'points' [2] must be a position {x = , z = }, got 5",
			(refused { at = { 0, 0 }, points = { { 1, 2 }, 5 } }))
	end)
end)
