-- Programs that mean harm end soon, in little memory, with one line, and leave nothing behind.
local core = require "mapwright.core".mapinfo
local run = require "run"

local programs = {
	["an endless loop"] = "while true do end",
	["an endless loop inside pcall"] = "while true do pcall(function() while true do end end) end",
	["an endless message handler"] = [[xpcall(function() while true do end end,
		function() while true do end end)]],
	["an endless coroutine"] = "while true do coroutine.wrap(function() while true do end end)() end",
	["endless resumes"] = [[local c = coroutine.create(function() while true do end end)
		while true do coroutine.resume(c) end]],
	["string.rep of a gibibyte"] = "local s = string.rep('x', 2^30)",
	["a string that doubles"] = "local s = 'x' while true do s = s .. s end",
	["strings joined by table.concat"] = [[local t = {} for i = 1, 20 do t[i] = ('x'):rep(1e6) end
		return { a = table.concat(t) }]],
	["a table that grows"] = "local t = {} while true do t[#t + 1] = {} end",
	["deep recursion"] = "local function f() return 1 + f() end f()",
	["endless tail calls"] = "local function f() return f() end f()",
	["recursion through __index"] = [[local t = setmetatable({}, {})
		getmetatable(t).__index = function(_, k) return t[k] end return { a = t.x }]],
	["a pattern that backtracks"] = [[return { a =
		string.find(('a'):rep(30000), ('a-'):rep(30) .. 'b') }]],
	["a pattern of many stars"] = "return { a = ('a'):rep(1e5):find(('.*'):rep(15) .. 'b') }",
	["a pattern in gsub"] = "return { a = ('a'):rep(1e5):gsub(('a*'):rep(12) .. 'b', '') }",
	["a pattern in gmatch"] = "for w in ('a'):rep(1e5):gmatch(('a*'):rep(12) .. 'b') do end",
	["a pattern of classes"] = "return { a = ('aB'):rep(1e5):match(('[%w_]-'):rep(20) .. '%d') }",
	["balanced pairs without end"] = "return { a = ('('):rep(1e5):find('%b()') }",
	["sorting for ever"] = [[local t = {} for i = 1, 2e5 do t[i] = i % 7 end
		while true do table.sort(t) end]],
	["a comparison without order"] = [[local t = {} for i = 1, 1e5 do t[i] = i end
		while true do table.sort(t, function() return true end) end]],
	["insertions at the front"] = "local t = {} for i = 1, 1e6 do table.insert(t, 1, i) end",
	["next over holes"] = [[local t = {} for i = 1, 3e5 do t[i] = i end for i = 1,
		3e5 - 1 do t[i] = nil end
		while next(t) do end]],
	["loadstring without end"] = "while true do loadstring('return 1') end",
	["a reader without end"] = "load(function() return 'x = 1 ' end)",
	["a finalizer"] = [[setmetatable({}, { __gc = function() while true do end end })
		while true do local t = {} end]],
	["a table inside itself"] = "local t = {} t.t = t return t",
	["a tree of shared tables"] = "local t = {} for i = 1, 60 do t = { a = t, b = t } end return t",
	["a deep table"] = "local t = {} local r = t for i = 1, 1e5 do t.a = {} t = t.a end return r",
	["deep parentheses"] = "return " .. ("("):rep(5000) .. "1" .. (")"):rep(5000),
	["deep tables in the text"] = "return " .. ("{"):rep(5000) .. ("}"):rep(5000),
	["deep functions in the text"] = ("return function() "):rep(3000) .. (" end"):rep(3000),
	["unpack of too much"] = "local t = {} return { unpack(t, 1, 1e8) }",
	["byte code"] = "return { a = assert(loadstring('\\27Lua')) }",
	["a huge format"] = "return { a = string.format('%99999d', 1) }",
	["string.char of much"] = [[while true do
		local s = string.rep('x', 1e6):upper():lower():reverse() end]],
}

describe("hostile programs", function()
	local names = {}
	for name in pairs(programs) do names[#names + 1] = name end
	table.sort(names)

	for _, name in ipairs(names) do
		it("end: " .. name, function()
			local before = os.clock()
			local info, failure = core.run(programs[name], "mapinfo.lua", {}, function() end, {}, {})
			assert.is_true(os.clock() - before < (os.getenv "MAPWRIGHT_BUILD" == "release" and 2 or 20))
			if info then error(name .. " got through") end
			assert.is_truthy(failure.message ~= "" and not failure.message:find "\n", failure.message)
		end)
	end

	it("stay within 256 MiB and 2 seconds, with one line", function()
		local dir = run.folder()
		for _, name in ipairs { "string.rep of a gibibyte", "a table that grows", "an endless loop",
			"deep recursion", "a pattern that backtracks" } do
			run.write(dir .. "/mapinfo.lua", programs[name])
			local limit = os.getenv "MAPWRIGHT_BUILD" == "release" and "ulimit -v 262144; " or ""
			local result = run.shell(limit .. "exec timeout 5 " .. run.quote(run.program) .. " eval "
				.. run.quote(dir .. "/mapinfo.lua"))
			assert.equal(1, result.status, name)
			assert.is_truthy(result.err:match "^[^\n]*mapinfo%.lua:%d: error: [^\n]+\n$", result.err)
		end
		run.clean()
	end)

	it("leave nothing for the next file of the run", function()
		core.run([[string.upper = nil table.concat = nil
			getmetatable("").__index = function() return 666 end
			Spring = nil VFS.Include = nil math.floor = error _G.tostring = nil
			getmetatable("").__add = function() return 7 end]], "a.lua")
		local info = core.run([[return { a = ("x"):upper(), b = table.concat({ 1, 2 }),
			c = tostring(Spring ~= nil),
			d = VFS.Include ~= nil, e = math.floor(1.5), f = "1" + 1 }]], "b.lua")
		assert.same({ a = "X", b = "12", c = "true", d = true, e = 1, f = 2 }, info)
		assert.equal("X", ("x"):upper())
	end)

	it("do not reach the machine", function()
		local info = core.run([[local open = {}
			for _, n in ipairs { "os", "io", "require", "package", "debug", "dofile", "loadfile" } do
				if _G[n] ~= nil or getfenv(0)[n] ~= nil then open[#open + 1] = n end
			end
			local meta = getmetatable("")
			for k in pairs(meta) do if not tostring(k):match "^__" then open[#open + 1] = k end end
			return { open = table.concat(open, ",") }]], "m")
		assert.equal("", info.open)
	end)
end)
