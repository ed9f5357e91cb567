--- Checks of mapinfo.lua as a program: does it load, in which runs, what does it touch.
local eval = require "mapwright.mapinfo.eval"

local M = {}

local MOST_RUNS = 500 -- with values of options

-- Names that exist for the map parser.
local known = {}
for name in ([[_G _VERSION assert error getmetatable ipairs rawequal rawget rawset select type pcall
	xpcall getfenv setfenv load loadstring setmetatable pairs next unpack tonumber tostring print
	coroutine math string table VFS Spring Script Engine LOG Encoding Map DontMessWithMyCase mapinfo
	mapInfo]]):gmatch "[%a_][%w_]*" do
	known[name] = true
end

-- Fields that later Luas have and this one lacks.
local absent_fields = {
	table = { unpack = "unpack", pack = "{...}", move = "a loop" },
	math = { tointeger = "math.floor", type = "type", ult = "<", mod = "math.fmod" },
	string = { pack = "string.char", unpack = "string.byte", packsize = "#" },
	Spring = { GetGameFrame = "nothing", GetModOptions = "Spring.GetMapOptions" },
}

local instead = { os = "nothing", io = "VFS.LoadFile", require = "VFS.Include",
	dofile = "VFS.Include",
	loadfile = "VFS.LoadFile and loadstring", utf8 = "string", bit32 = "arithmetic", Game = "Map",
	debug = "nothing", package = "VFS.Include" }

local function failure(c, f)
	local where = { file = f.file, line = f.line, col = 1, start = f.start }
	if f.kind == "syntax" then
		if c.result.text and c.result.text:match "^\239\187\191" then return end
		if c.result.text and c.result.text:match "^#" then return end
		c.report("mapinfo-syntax", where, "%s: the engine cannot load the map; it reads Lua 5.1",
			f.message)
	elseif f.kind == "steps" or f.kind == "memory" then
		c.report("mapinfo-limit", where, "%s: the engine has no limit and would hang or die", f.message)
	elseif f.kind == "result" then
		if f.message:find "contains itself" then
			local path = f.message:match "at (.*)$"
			c.report("table-contains-itself", path, "%s: the engine crashes while it scans archives",
				f.message)
		else
			c.report("mapinfo-limit", where, "%s", f.message)
		end
	else
		c.report("mapinfo-runtime", where, "%s: the engine refuses the map", f.message)
	end
end

-- What Lua would not even look at.
local function beginning(c)
	local text = c.result.text
	if not text then return end
	if text:match "^\239\187\191" then
		c.report("mapinfo-bom", { line = 1, col = 1 },
			"the file begins with a byte order mark (EF BB BF): the engine cannot load the map; save it"
			.. " as UTF-8 without one", { fix = { { 1, 3, "" } } })
	elseif text:match "^#" then
		local stop = #text:match "^[^\r\n]*"
		c.report("mapinfo-bom", { line = 1, col = 1 },
			"the file begins with a # line: the engine cannot load the map; take the line away",
			{ fix = { { 1, stop, "" } } })
	end
end

local function scan(c)
	local result = c.result
	if not c.site.main then return end
	for _, event in ipairs(result.scan.events or {}) do
		if event.kind == "file-exists" then
			c.report("scan-file-exists", { file = event.file, line = event.line, token = "VFS" },
				"VFS.FileExists(%q) runs in the archive scan: the engine crashes there, at every start;"
				.. " put it inside `if Map then ... end`", event.text)
		end
	end
	local f = result.scan.failure
	if f and not result.failure then
		c.report("mapinfo-scan-fails", { file = f.file, line = f.line },
			"%s in the archive scan, where no file of the map can be read and Map does not exist: the"
			.. " map is listed as %s; put such code inside `if Map then ... end`", f.message,
			result.name and "'" .. result.name .. "'" or "nothing")
	end
end

local function globals(c)
	local source = c.source
	if not source or not source.parsed then return end
	local written, tested, told = {}, {}, {}
	for _, r in ipairs(source.parsed.refs) do
		if r.write then written[r.name] = true end
		if r.tested then tested[r.name] = true end
	end
	for _, r in ipairs(source.parsed.refs) do
		local where = { line = r.line, col = r.col, start = r.start, stop = r.stop }
		local field = r.field and absent_fields[r.name] and absent_fields[r.name][r.field]
		if r.write then
			if not known[r.name] and r.name ~= "tobool" and not told["w" .. r.name] then
				told["w" .. r.name] = true
				c.report("mapinfo-leaked-global", where,
					"'%s' becomes a global variable, which overrides see; write `local %s`", r.name, r.name)
			end
		elseif field and not told[r.name .. r.field] then
			told[r.name .. r.field] = true
			c.report("mapinfo-missing-global", where, "%s.%s is nil in the map parser; use %s", r.name,
				r.field, field)
		elseif not known[r.name] and not written[r.name] and not tested[r.name]
			and not told[r.name] then
			told[r.name] = true
			c.report("mapinfo-missing-global", where, "'%s' is nil in the map parser%s", r.name,
				instead[r.name] and instead[r.name] ~= "nothing" and "; use " .. instead[r.name] or "")
		end
	end
end

local function escapes(c)
	local source = c.source
	if not source or not source.parsed then return end
	for _, f in ipairs(source.parsed.fields) do
		local v = f.value
		if v.kind == "string" then
			local text = source.text:sub(v.start, v.stop)
			local bad = text:sub(1, 1) ~= "[" and text:gsub("\\\\", "__"):match "\\([xzu])"
			if bad then
				c.report("escape-5.1", { line = v.line, col = v.col, start = v.start, stop = v.stop },
					"\\%s is no escape of Lua 5.1: the engine reads %q", bad, v.value)
			end
		end
	end
end

local function events(c)
	for _, event in ipairs(c.result.events or {}) do
		if event.kind == "random" then
			c.report("mapinfo-math-random", { file = event.file, line = event.line, token = "math" },
				"math.random and math.randomseed return nothing in the map parser")
		elseif event.kind == "case-duplicate" then
			c.duplicates[event.text:lower()] = true
		elseif event.kind == "odd-value" or event.kind == "odd-key" then
			c.report("unreadable-value", event.text:lower(), "%s%s: the engine passes it over",
				event.text == "" and "the table" or "'" .. event.text .. "'",
				event.kind == "odd-key" and " has a key that is neither text nor number"
				or " is neither number, text, boolean nor table")
		elseif event.kind == "not-finite" then
			local path = event.text:lower()
			local top = not path:find "[.%[]"
			c.report(top and "nan-top-level" or "nan-or-inf", path, top
				and "'%s' is no finite number: the scanner writes it into the user's archive cache, which"
				.. " the next start cannot read" or "'%s' is no finite number; the engine only warns in its"
				.. " log", event.text)
		end
	end
end

local function duplicates(c)
	local source = c.source
	if not source or not source.parsed then return end
	for path, list in next, source.entries do
		local by_table = {}
		for _, e in ipairs(list) do
			local before = e.table and by_table[e.table]
			if before and before.spelled == e.spelled then
				c.report("duplicate-key", e, "'%s' is set in line %d and again in line %d: the last one counts",
					e.spelled, before.line, e.line, { related = { { before, "set here first" } } })
			elseif before then
				local low = before.spelled == before.spelled:lower() and before
					or e.spelled == e.spelled:lower() and e
				c.report("mapinfo-case-duplicate", e, "'%s' (line %d) and '%s' (line %d) are one key to the"
					.. " engine: %s", before.spelled, before.line, e.spelled, e.line,
					low and ("'%s' wins"):format(low.spelled) or "chance decides which one wins",
					{ related = { { before, "the other one" } } })
				c.duplicates[path] = nil
			end
			if e.table then by_table[e.table] = e end
		end
	end
	for path in next, c.duplicates do
		c.report("mapinfo-case-duplicate", path,
			"'%s' is there in two spellings, which are one key to the"
			.. " engine", path)
	end
end

local function case_returned(c)
	local mixed
	for _, event in ipairs(c.result.events or {}) do
		if event.kind == "mixed-case" then mixed = mixed or event.text end
	end
	if mixed and c.source and c.source.returned then
		c.report("mapinfo-mixed-case-returned", { line = c.source.returned.line,
			col = c.source.returned.col },
			"keys are returned as they are spelt ('%s'): fine for the engine, but game Lua that includes"
			.. " the file looks for lower case", mixed)
	end
end

local function overrides(c)
	local names = eval.overrides(c.site)
	if #names == 0 or c.result.failure or not c.site.main then return end
	for _, event in ipairs(c.result.events or {}) do
		if event.kind == "included" then return end
	end
	c.report("mapinfo-no-postprocess", nil,
		"mapconfig/mapinfo/ holds %d file%s (%s), but mapinfo.lua includes none of them", #names,
		#names == 1 and "" or "s", names[1])
end

local function options(c)
	if not c.site.real["mapoptions.lua"] then return end
	local list, f = eval.map_options(c.site)
	if not list then
		c.report("mapoptions-broken", { file = f.file, line = f.line },
			"%s: lobbies show no option of the map", f.message)
		return
	end
	if c.result.failure then return end
	local runs = 0
	for _, option in ipairs(list) do
		for _, value in ipairs(eval.option_values(option)) do
			runs = runs + 1
			if runs > MOST_RUNS then return end
			local run = eval.load(c.site, { [option.key] = value })
			if run.failure then
				if run.failure.kind == "steps" or run.failure.kind == "memory" then runs = MOST_RUNS end
				c.report("mapinfo-option-path-error", { file = run.failure.file, line = run.failure.line },
					"%s with option %s = %s: the map does not load", run.failure.message, option.key, value)
				break
			end
		end
	end
end

-- Lua of the map that the engine reads: only whether it is Lua 5.1 at all.
local function other_lua(c)
	local core = require "mapwright.core".mapinfo
	for _, name in ipairs(c.site.names) do
		if (name:match "^features/.*%.lua$" or name:match "^luagaia/.*%.lua$"
			or name:match "^mapconfig/.*%.lua$") and (c.site.size(name) or 0) < 1000000 then
			local _, fault = core.parse(c.site.read(name))
			if fault then
				c.report("lua-broken", { file = c.site.real[name], line = fault.line, start = fault.start },
					"%s: the engine goes on without this file", fault.message)
			end
		end
	end
end

function M.run(c)
	c.duplicates = {}
	beginning(c)
	if not c.result.file then
		if not c.site.only_smf then
			c.report("mapinfo-absent", nil, "there is neither a mapinfo.lua nor a .smd")
		end
		return
	end
	scan(c)
	events(c)
	if c.result.failure then failure(c, c.result.failure) end
	globals(c)
	escapes(c)
	duplicates(c)
	if not c.result.failure and not c.result.loaded.tdf then
		if c.result.loaded.returned ~= "table" then
			c.report("mapinfo-no-table", nil, "the file returns %s instead of a table: the engine takes its"
				.. " default for every key; end it with `return mapinfo`",
				c.result.loaded.returned == "nil" and "nothing" or "a " .. c.result.loaded.returned)
		end
		case_returned(c)
		overrides(c)
		options(c)
	end
	other_lua(c)
end

return M
