-- What specs need of the outside world: run the program, scratch folders, files.
local lfs = require "lfs"

local run = {}

local function quote(word)
	return "'" .. tostring(word):gsub("'", "'\\''") .. "'"
end
run.quote = quote

--- The program under test, an absolute path.
run.program = os.getenv "MAPWRIGHT" or lfs.currentdir() .. "/build/release/mapwright"

--- Material beside the checkout, or nil where it is absent.
function run.shared(relative)
	local path = (os.getenv "MAPWRIGHT_SHARED" or "../shared") .. "/" .. relative
	return lfs.attributes(path, "mode") and path or nil
end

function run.read(path)
	local file = assert(io.open(path, "rb"))
	local bytes = file:read "a"
	file:close()
	return bytes
end

function run.write(path, bytes)
	local file = assert(io.open(path, "wb"))
	assert(file:write(bytes))
	assert(file:close())
end

function run.exists(path)
	return lfs.symlinkattributes(path, "mode") ~= nil
end

--- A new empty folder; it goes away with run.clean().
local folders = {}
function run.folder()
	local pipe = assert(io.popen "mktemp -d")
	local path = pipe:read "l"
	pipe:close()
	folders[#folders + 1] = path
	return path
end

function run.clean()
	for _, path in ipairs(folders) do
		os.execute("rm -rf " .. quote(path))
	end
	folders = {}
end

--- Run a shell command line. Returns {status, signal, out, err}.
function run.shell(line, dir)
	local out, err = os.tmpname(), os.tmpname()
	local command = ("{ %s\n} >%s 2>%s </dev/null"):format(line, quote(out), quote(err))
	if dir then
		command = "cd " .. quote(dir) .. " && " .. command
	end
	local _, how, number = os.execute(command)
	local result = { status = how == "exit" and number or nil,
		signal = how == "signal" and number or nil,
		out = run.read(out), err = run.read(err) }
	os.remove(out)
	os.remove(err)
	return result
end

--- Run the program with a list of arguments. Options: dir (where), env (a table of strings).
function run.mapwright(arguments, options)
	options = options or {}
	local words = {}
	for name, value in pairs(options.env or {}) do
		words[#words + 1] = name .. "=" .. quote(value)
	end
	words[#words + 1] = quote(run.program)
	for _, word in ipairs(arguments) do
		words[#words + 1] = quote(word)
	end
	return run.shell(table.concat(words, " "), options.dir)
end

--- All files below a folder, as sorted relative paths.
function run.files(root)
	local found = {}
	local function walk(prefix)
		for name in lfs.dir(root .. "/" .. prefix) do
			if name ~= "." and name ~= ".." then
				local path = prefix .. name
				if lfs.symlinkattributes(root .. "/" .. path, "mode") == "directory" then
					walk(path .. "/")
				else
					found[#found + 1] = path
				end
			end
		end
	end
	walk ""
	table.sort(found)
	return found
end

--- { [relative path] = sha256 } of all files below a folder.
function run.hashes(root)
	local sums = {}
	local pipe = assert(io.popen("cd " .. quote(root) .. " && find . -type f -exec sha256sum {} +"))
	for line in pipe:lines() do
		local sum, path = line:match "^(%x+)%s+%./(.*)$"
		sums[path] = sum
	end
	pipe:close()
	return sums
end

--- Unpack an archive (.sdz, .sd7) with the usual tools into a new folder; a .sdd stays as it is.
function run.unpacked(archive)
	if lfs.attributes(archive, "mode") == "directory" then
		return archive
	end
	local folder = run.folder()
	local tool = archive:match "%.sd7$" and "7z x -y -o%s %s" or "unzip -q -o -d %s %s"
	local result = run.shell(tool:format(quote(folder), quote(archive)))
	assert(result.status == 0, result.err .. result.out)
	return folder
end

return run
