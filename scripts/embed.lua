-- Write the Lua side of the program as C data: embed.lua ROOT OUT FILE...
-- ROOT/init.lua is the module named after ROOT's last part, ROOT/a/b.lua is "root.a.b"; a file
-- that is not Lua keeps its path ("root/a/page.html").

local root, out = arg[1], arg[2]
local base = root:match("[^/]+$")

local function name_of(path)
	local rest = path:sub(#root + 2)
	local module = rest:match("^(.*)%.lua$")
	if not module then
		return base .. "/" .. rest
	end
	module = base .. "." .. module:gsub("/", ".")
	return (module:gsub("%.init$", ""))
end

local files, seen = {}, {}
for i = 3, #arg do
	local name = name_of(arg[i])
	if seen[name] then
		error(("embed.lua: %s and %s are both %s"):format(arg[i], seen[name], name))
	end
	seen[name] = arg[i]
	files[#files + 1] = { name = name, path = arg[i] }
end
table.sort(files, function(a, b) return a.name < b.name end)

local text = { '/* Made by scripts/embed.lua from lua/. */\n#include "bind/embed.h"\n\n' }
for i, file in ipairs(files) do
	local handle = assert(io.open(file.path, "rb"))
	local data = handle:read "a"
	handle:close()
	file.size = #data
	text[#text + 1] = ("static const unsigned char file_%d[] = {"):format(i)
	for at = 1, #data, 20 do
		local line = { data:byte(at, at + 19) }
		text[#text + 1] = "\n\t" .. table.concat(line, ",") .. ","
	end
	text[#text + 1] = (#data == 0 and "0" or "") .. "\n};\n\n"
end
text[#text + 1] = "const struct mw_embed_file mw_embed_files[] = {\n"
for i, file in ipairs(files) do
	text[#text + 1] = ('\t{"%s", file_%d, %d},\n'):format(file.name, i, file.size)
end
text[#text + 1] = "\t{0, 0, 0},\n};\n\n"
text[#text + 1] = ("const size_t mw_embed_count = %d;\n"):format(#files)

local handle = assert(io.open(out, "wb"))
assert(handle:write(table.concat(text)))
assert(handle:close())
