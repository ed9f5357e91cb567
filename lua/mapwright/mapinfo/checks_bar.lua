--- Checks of what BAR's pipeline reads of mapinfo.lua without running it.
local convert = require "mapwright.mapinfo.convert"

local M = {}

local function statics(c)
	local source = c.source
	local first = source.parsed.stmts[1]
	local s = source.parsed.stmts
	local earliest
	for _, one in ipairs(s) do
		if not earliest or one.start < earliest.start then earliest = one end
	end
	first = earliest or first
	local refs = source.parsed.refs
	local before = refs[1] and first and refs[1].start < first.start
	if not first or before or first.kind ~= "local" or first.value.kind ~= "table"
		or first.depth > 0 or first.block > 0 then
		c.report("bar-static-first-statement", first and { line = first.line, col = first.col } or nil,
			"the first statement is not `local mapinfo = { ... }`: the pipeline finds no table")
	end
	for path, list in next, source.entries do
		local e = list[#list]
		local v = e.value
		if not e.assigned and e.field and not path:match "^custom" then
			if v.kind == "other" or v.kind == "name" or v.kind == "call" or v.kind == "function" then
				c.report("bar-static-expression", { line = v.line, col = v.col, start = v.start,
					stop = v.stop },
					"the value of '%s' is computed: the pipeline reads literals only", path)
			elseif v.kind == "number" and e.field.kind == "position"
				and source.text:sub(v.start, v.start) == "-" then
				c.report("bar-negative-in-array", { line = v.line, col = v.col, start = v.start,
					stop = v.stop },
					"the pipeline drops the negative number %s of '%s'", source.text:sub(v.start, v.stop), path)
			end
		end
	end
	for id, fields in next, source.tables do
		local positional, named
		for _, f in ipairs(fields) do
			if f.kind == "position" then positional = positional or f else named = named or f end
		end
		if positional and named then
			local t = source.parsed.tables[id]
			c.report("bar-mixed-table", { line = named.line, col = named.col, start = named.start,
				stop = named.stop }, "the list of line %d has names too: the pipeline drops them", t.line)
		end
	end
	for _, key in ipairs { "minheight", "maxheight" } do
		local e = c.find("smf." .. key)
		if e and e.spelled ~= key and not e.assigned then
			c.report("bar-smf-key-case", e, "smf.%s is found by the pipeline only as '%s'", e.spelled, key,
				{ fix = e.source == c.source and e.field.kind == "name"
					and { { e.start, e.stop, key } } or nil })
		end
	end
end

function M.run(c)
	if c.profile ~= "bar" then return end
	local site = c.site
	if not site.lone and site.main and site.real[site.main] ~= "mapinfo.lua" then
		c.report("bar-mapinfo-file-name", nil, "the file is called '%s': the pipeline looks for"
			.. " 'mapinfo.lua'", site.real[site.main])
	elseif site.lone and site.main and site.main == "mapinfo.lua"
		and site.real[site.main] ~= site.main then
		c.report("bar-mapinfo-file-name", nil, "the file is called '%s': the pipeline looks for"
			.. " 'mapinfo.lua'", site.real[site.main])
	elseif not site.main and site.whole and not site.only_smf then
		c.report("bar-mapinfo-file-name", nil, "there is no mapinfo.lua")
	end
	if c.source and c.source.parsed then statics(c) end
	if not c.info then return end
	if convert.get(c.info, "tidalstrength") == nil then
		c.report("bar-tidal-missing", nil, "tidalStrength is not set: the map's metadata cannot be made;"
			.. " write tidalStrength = 0")
	end
	if convert.get(c.info, "lighting.sundir") == nil then
		c.report("bar-lighting-sundir-missing", nil,
			"lighting.sunDir is not set: a widget of the game fails"
			.. " without it")
	end
end

return M
