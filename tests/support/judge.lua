-- The real engine as judge: engine-check and unitsync-check beside the checkout.
local run = require "run"

local judge = {}

local tools = run.shared "tools/engine-check"

--- nil where the judge or the engine's package is absent (the reason is the second result).
function judge.available()
	if not tools then return nil, "no engine judge beside this checkout" end
	local engine = run.shell "PATH=$PATH:/usr/games command -v spring-headless"
	if engine.status ~= 0 then return nil, "the engine's Debian package is not installed" end
	return true
end

local function json(path)
	return require "mapwright.core".base.json_read(run.read(path))
end

--- What spring-headless says: its JSON report. `probes` is the text of a probe file.
function judge.engine(map, probes, flags)
	local dir = run.folder()
	run.write(dir .. "/probes.txt", probes or "")
	local result = run.shell(("%s/engine-check %s --fast -q --probes %s --json %s %s"):format(tools,
		run.quote(map), dir .. "/probes.txt", dir .. "/report.json", flags or ""))
	local report = run.exists(dir .. "/report.json") and json(dir .. "/report.json") or {}
	return report, result
end

--- What unitsync says: its JSON, and the raw grids {height, metal, type, grass}.
function judge.unitsync(map)
	local dir = run.folder()
	local result = run.shell(("%s/unitsync-check %s --json %s --grids --mapinfo"):format(tools,
		run.quote(map), dir .. "/u.json"))
	local grids = {}
	for _, kind in ipairs { "height", "metal", "type", "grass" } do
		for _, path in ipairs { dir .. "/u.json." .. kind, dir .. "/u." .. kind } do
			if run.exists(path) then grids[kind] = run.read(path) end
		end
	end
	return run.exists(dir .. "/u.json") and json(dir .. "/u.json") or {}, grids, result
end

return judge
