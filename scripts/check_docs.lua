-- Exported = annotated = documented, and the documents' own scripts run.
--   mapwright lua scripts/check_docs.lua
--
-- exported    the functions reachable from require "mapwright" (a table with lazy members lists
--             them in its metatable's __names) and the methods in mapwright.util.classes
-- annotated   a "---" comment right above a function in lua/mapwright/
-- documented  ".It Fn mw.name" or ".It Fn field:name" in man/mapwright-build.7
-- private     what mapwright.core holds is what lua/meta/core.lua describes (check_core.lua)
-- Lua blocks  ```lua in *.md, ".Bd -literal" after a '.\" lua' line in man/*.7: those that require
--             "mapwright" are built with --plan, the others must be Lua

package.path = "tests/support/?.lua;" .. package.path
local run = require "run"

local faults = 0
local function fault(...)
	faults = faults + 1
	print(string.format(...))
end

dofile "scripts/check_core.lua" (fault)

-- ---- three sets of names ----

local function sorted(set)
	local list = {}
	for name in pairs(set) do
		list[#list + 1] = name
	end
	table.sort(list)
	return list
end

local function lines_of(path)
	return run.exists(path) and io.lines(path) or function() end
end

local function walk(value, prefix, found, seen)
	seen[value] = true
	local names = {}
	for name in pairs(value) do
		names[name] = true
	end
	for _, name in ipairs((getmetatable(value) or {}).__names or {}) do
		names[name] = true
	end
	for name in pairs(names) do
		local member = value[name]
		if type(name) == "string" and name:match "^%a[%w_]*$" then
			local meta = getmetatable(member)
			local callable = type(meta) == "table" and meta.__call
			if type(member) == "function" or callable then
				found[prefix .. name] = true
			end
			if type(member) == "table" and not seen[member] then
				walk(member, prefix .. name .. ".", found, seen)
			end
		end
	end
end

local function exported()
	local found = {}
	walk(require "mapwright", "mw.", found, { [package.loaded["mapwright.core"] or {}] = true })
	-- what scripts hold: the modules register their methods when they are loaded
	for class, methods in pairs(require "mapwright.util.classes") do
		for name, method in pairs(methods) do
			if type(method) == "function" and not name:match "^_" then
				found[class .. ":" .. name] = true
			end
		end
	end
	return found
end

-- Last parts of the names of annotated functions: field.lua's "blur", init.lua's "box".
local function annotated()
	local found = {}
	for _, path in ipairs(run.files "lua/mapwright") do
		local above = ""
		for line in lines_of("lua/mapwright/" .. path) do
			local name = line:match "^function [%w_.]+[.:]([%w_]+)%("
				or line:match "^local function ([%w_]+)%(" or line:match "^function ([%w_]+)%("
				or line:match "^%s*[%w_.]+%.([%w_]+) = "
			if name and above:match "^%-%-%-" then
				found[name] = true
			end
			above = line
		end
	end
	return found
end

local function documented()
	local found = {}
	for line in lines_of "man/mapwright-build.7" do
		local name = line:match '^%.It Fn "?([%a][%w_.:]*)'
		if name then
			found[name] = true
		end
	end
	return found
end

if run.exists "man/mapwright-build.7" then
	local public, comments, manual = exported(), annotated(), documented()
	for _, name in ipairs(sorted(public)) do
		if not manual[name] then
			fault("%s is not in man/mapwright-build.7", name)
		end
		if not comments[name:match "[%w_]+$"] then
			fault("%s has no --- comment in lua/mapwright/", name)
		end
	end
	for _, name in ipairs(sorted(manual)) do
		if not public[name] then
			fault("man/mapwright-build.7: %s does not exist", name)
		end
	end
end

-- ---- the documents' own scripts ----

local function blocks_of(path)
	local blocks, block, armed = {}, nil, false
	local number = 0
	for line in lines_of(path) do
		number = number + 1
		if block and (line:match "^```%s*$" or line:match "^%.Ed") then
			block.text = table.concat(block, "\n") .. "\n"
			blocks[#blocks + 1] = block
			block = nil
		elseif block then
			block[#block + 1] = (line:gsub("\\e", "\\"):gsub("\\&", ""))
		elseif line:match "^```lua" or (armed and line:match "^%.Bd") then
			block = { line = number }
		end
		armed = line:match '^%.\\" lua' ~= nil
	end
	return blocks
end

local documents = run.shell("ls *.md man/*.7 2>/dev/null").out
for path in documents:gmatch "[^\n]+" do
	for _, block in ipairs(blocks_of(path)) do
		local bad
		if block.text:match 'require "mapwright"' then
			local folder = run.folder()
			run.write(folder .. "/build.lua", block.text)
			local built = run.mapwright({ "build", "--plan" }, { dir = folder })
			bad = built.status ~= 0 and built.err
		else
			bad = select(2, load(block.text, "=block"))
		end
		if bad then
			fault("%s:%d: the script here does not run: %s", path, block.line, bad)
		end
	end
end
run.clean()
if faults > 0 then
	print(("%d fault(s) in the documents"):format(faults))
	os.exit(1)
end
