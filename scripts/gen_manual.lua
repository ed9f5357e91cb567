-- Function lists of the manual pages, made from the comments above the functions themselves.
--
--   mapwright lua scripts/gen_manual.lua [--check]
--
-- In a page the lines between `.\" functions FILE TABLE NAME` and `.\" end functions` are
-- rewritten: every commented function TABLE.x or TABLE:x of lua/mapwright/FILE is listed as NAME.x
-- or NAME:x, with its comment, and with the options of the schema that its body checks.
local lfs = require "lfs"
local options = dofile "scripts/gen_options.lua"

local function read(path)
	local file = assert(io.open(path, "rb"))
	local text = file:read "a"
	file:close()
	return text
end

local function lines_of(text)
	local out = {}
	for line in text:gmatch "([^\n]*)\n" do out[#out + 1] = line end
	return out
end

-- Comment lines above line n: text, and {name, type, words} of its parameters and results.
local function comment_above(lines, n)
	local first = n
	while first > 1 and lines[first - 1]:match "^%-%-%-" do first = first - 1 end
	local text, returns = {}, nil
	for i = first, n - 1 do
		local line = lines[i]:gsub("^%-%-%-%s?", "")
		local kind, rest = line:match "^@(%w+)%s*(.*)$"
		if kind == "return" then
			returns = returns and returns .. ", " .. rest or rest
		elseif not kind then
			text[#text + 1] = line
		end
	end
	return #text > 0 and table.concat(text, "\n") or nil, returns
end

-- The schema whose rows a function's body checks, or nil.
local function schema_of(lines, n, module)
	local i = n
	while lines[i] and not lines[i]:match "^end" do
		local name = lines[i]:match "schema%.([%w_]+)"
		local from = lines[i]:match "schema%.[%w_]+%.([%w_]+)"
		if name and module[from or name] then return module[from or name] end
		i = i + 1
	end
	return nil
end

local function functions(file, tab, name)
	local lines, out = lines_of(read("lua/mapwright/" .. file)), {}
	local schema_name = read("lua/mapwright/" .. file)
		:match 'schema = require "mapwright%.schema%.([%w_]+)"'
	local schema = schema_name and require("mapwright.schema." .. schema_name) or {}
	for n, line in ipairs(lines) do
		local of, sign, fn, arguments = line:match "^function ([%w_]+)([.:])([%w_]+)%((.-)%)"
		if not of then
			of, sign, fn, arguments = line:match "^([%w_]+)([.:])([%w_]+) = function%((.-)%)"
		end
		local text, returns = nil, nil
		if of == tab and not fn:match "^_" then text, returns = comment_above(lines, n) end
		if text and not text:find("for the library's own use", 1, true)
			and not text:find("as the core knows it", 1, true) then
			out[#out + 1] = { name = name .. sign .. fn, arguments = arguments, text = text,
				returns = returns, schema = arguments:match "given" and schema_of(lines, n, schema)
					or arguments:match "options" and schema_of(lines, n, schema) or nil }
		end
	end
	return out
end

local function entry(f, out)
	local words = {}
	for word in f.arguments:gmatch "[%w_%.]+" do
		words[#words + 1] = ' "' .. (word == "given" and "{options}" or word) .. '"'
	end
	out[#out + 1] = ".It Fn " .. f.name .. table.concat(words)
	out[#out + 1] = options.escape(f.text:gsub("%[unit: (.-)%]", "(%1)"))
	if f.schema then
		out[#out + 1] = ".Bl -tag -width Ds -compact"
		options.mdoc(f.schema, "", out)
		out[#out + 1] = ".El"
	end
end

local function option_list(rows, out)
	out[#out + 1] = ".Bl -tag -width Ds -compact"
	for _, row in ipairs(rows) do
		local flags = {}
		for _, flag in ipairs(row) do flags[#flags + 1] = "Fl " .. flag:gsub("^%-", "") end
		out[#out + 1] = ".It " .. table.concat(flags, " , ")
			.. (row.arg and " Ar \"" .. row.arg .. '"' or "")
		local doc = row.doc:gsub("%s+", " "):gsub("^%l", string.upper)
		out[#out + 1] = options.escape(doc) .. "."
	end
	out[#out + 1] = ".El"
end

local function command_list()
	local out = { ".Bl -tag -width Ds" }
	for _, name in ipairs(require "mapwright.cli".commands) do
		local command = require("mapwright.cli." .. name)
		out[#out + 1] = (".It Ic %s Ar \"%s\""):format(name, command.usage)
		local summary = command.summary:gsub("^%l", string.upper)
		out[#out + 1] = options.escape(summary) .. "."
		if command.notes then
			out[#out + 1] = options.escape(command.notes)
		end
		if command.options and command.options[1] then option_list(command.options, out) end
	end
	out[#out + 1] = ".El"
	return table.concat(out, "\n") .. "\n"
end

local function common_list()
	local out = {}
	option_list(require "mapwright.cli.args".common, out)
	return table.concat(out, "\n") .. "\n"
end

local stale = {}
local pages = {}
for name in lfs.dir "man" do
	if name:match "%.[1-9]$" then pages[#pages + 1] = name end
end
table.sort(pages)
for _, name in ipairs(pages) do
	local text = read("man/" .. name)
	local block = '(%.\\" functions (%S+) (%S+) (%S+)\n).-(%.\\" end functions\n)'
	local made = text:gsub(block, function(head, file, tab, prefix, tail)
		local out = { ".Bl -tag -width Ds" }
		for _, f in ipairs(functions(file, tab, prefix)) do entry(f, out) end
		out[#out + 1] = ".El"
		return head .. table.concat(out, "\n") .. "\n" .. tail
	end)
	made = made:gsub('(%.\\" commands\n).-(%.\\" end commands\n)', function(head, tail)
		return head .. command_list() .. tail
	end):gsub('(%.\\" common options\n).-(%.\\" end common options\n)', function(head, tail)
		return head .. common_list() .. tail
	end)
	if made ~= text then
		if arg[1] == "--check" then
			stale[#stale + 1] = "man/" .. name
		else
			local file = assert(io.open("man/" .. name, "wb"))
			file:write(made)
			file:close()
			print("wrote man/" .. name)
		end
	end
end
if stale[1] then
	io.stderr:write("not up to date: ", table.concat(stale, ", "),
		"; run: mapwright lua scripts/gen_manual.lua\n")
	os.exit(1)
end
