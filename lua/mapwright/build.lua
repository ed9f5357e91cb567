--- A build: run the script, then make its targets in the order they were declared.
local core = require "mapwright.core"
local errors = require "mapwright.errors"
local project = require "mapwright.project"
local script = require "mapwright.script"
local term = require "mapwright.cli.term"

local M = {}

-- Whether a path lies below a folder.
local function within(path, folder)
	return path:sub(1, #folder + 1) == folder .. "/"
end

--- Called by mapwright.target.*: note a target for after the script.
---@param target {kind: string, out: string, at: string, build: fun(self, run): table}
function M.register(target)
	for _, other in ipairs(project.targets) do
		if other.path == target.path then
			errors.fail("target.%s: '%s' is already made by the target at %s", target.kind,
				target.out, other.at)
		elseif within(target.path, other.path) or within(other.path, target.path) then
			errors.fail("target.%s: '%s' and '%s' of the target at %s lie one within the other, and"
				.. " making a folder replaces all in it", target.kind, target.out, other.out, other.at)
		end
	end
	project.targets[#project.targets + 1] = target
	return target
end

local function matches(target, only)
	if #only == 0 then return true end
	for _, word in ipairs(only) do
		if target.kind == word or target.out == word or target.out:match "[^/]*$" == word then
			return true
		end
	end
	return false
end

-- The folder of a script's path.
local function folder(path)
	local dir = path:match "^(.*)/[^/]*$"
	if dir == "" then return "/" end
	return dir or "."
end

--- The file to build: as given, or build.lua here or in a folder given.
function M.find_script(path)
	path = path or "build.lua"
	if core.fs.kind(path) == "folder" then path = path:gsub("/+$", "") .. "/build.lua" end
	if core.fs.kind(path) ~= "file" then
		errors.raise("io", "%s: no such build script%s", path,
			path == "build.lua" and " (mapwright new DIR starts a project)" or "")
	end
	return path
end

--- Run a script up to its declared targets.
---@param path string
---@param options {out_dir?: string, defines?: table}
function M.declare(path, options)
	project.begin { root = folder(path), out_dir = options.out_dir, defines = options.defines }
	script.run(path)
	term.flush_warnings()
	for name in next, project.defines do
		if not project.defaults[name] then
			errors.raise("invalid", "-D %s: the script asks for no setting of that name%s", name,
				require "mapwright.util.suggest" (name, project.defaults))
		end
	end
	return project.targets
end

--- Build. Returns a list of reports {target, outputs = {{path, bytes}}, lines = {...}}.
---@param path string
---@param options table out_dir, defines, only, plan, strict, speed as the command line has them
function M.run(path, options)
	local targets, chosen = M.declare(path, options), {}
	local only = options.only or {}
	for _, target in ipairs(targets) do
		if matches(target, only) then chosen[#chosen + 1] = target end
	end
	if #targets == 0 then
		errors.raise("invalid", "%s: declares no target; end it with mw.target.bar{...}", path)
	end
	for _, word in ipairs(only) do
		local found = false
		for _, target in ipairs(targets) do found = found or matches(target, { word }) end
		if not found then
			local names = {}
			for i, target in ipairs(targets) do names[i] = target.out end
			errors.raise("invalid", "--only %s: no such target; there is %s", word,
				table.concat(names, ", "))
		end
	end
	if options.plan then return chosen end
	local reports = {}
	for _, target in ipairs(chosen) do
		local before = term.warnings
		local run = {
			speed = options.speed or "default",
			strict = options.strict or target.options.strict,
		}
		-- Called when everything is made and nothing written: the last chance to refuse.
		function run.may_write()
			term.flush_warnings(target.at)
			local n = term.warnings - before
			if run.strict and n > 0 then
				errors.fail_at(target.at, "%s: not written: %d warning%s, and strict is on", target.out,
					n, n == 1 and "" or "s")
			end
		end
		core.fs.sweep(target.path)
		local ok, result = xpcall(target.build, function(problem)
			local text = errors.settle(problem)
			if type(text) == "table" then text = text.message end
			if errors.placed(text) then return text end
			local subject = target.path .. ": " -- the core may have said it, even twice
			while text:sub(1, #subject) == subject do text = text:sub(#subject + 1) end
			return target.at .. ": " .. target.out .. ": " .. text
		end, target, run)
		term.flush_warnings(target.at)
		if not ok then error(result, 0) end
		result.target = target
		reports[#reports + 1] = result
	end
	return reports
end

return M
