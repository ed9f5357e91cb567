-- Every shared case of levels, and of what concerns them, has a spec that names it.
local lfs = require "lfs"
local run = require "run"

local areas = { ["map-import"] = true, ["map-export"] = true, ["csg-bsp"] = true, hmap = true,
	security = true, ["cli-ux"] = true }

-- Why a case has none yet.
local left = {
	["map-export/mx03"] = "needs a reader of .hflevel",
	["map-export/mx07"] = "needs a reader of .hflevel",
	["map-export/mx08"] = "needs a reader of .hflevel",
}

-- What the specs say of themselves, and the cases that they open, as one text.
local function spoken()
	local out = {}
	for name in lfs.dir "tests/cases" do
		if name:match "_spec%.lua$" then
			local text = run.read("tests/cases/" .. name)
			for line in text:gmatch "[^\n]+" do out[#out + 1] = line:match "^%s*it%(([\"'].*)" end
			for path in text:gmatch '"(%w[%w-]+/%w+)"' do out[#out + 1] = path end
		end
	end
	return table.concat(out, "\n")
end

describe("the cases of levels", function()
	local index = run.shared "cases/INDEX.tsv"
	if not index then
		pending "all have a spec: no shared cases here"
		return
	end
	local specs, count, missing = spoken(), 0, {}
	for line in run.read(index):gmatch "[^\n]+" do
		local id, area, kind, path = line:match "^([^\t]+)\t([^\t]+)\t([^\t]+)\t([^\t]+)"
		if areas[area] then
			count = count + 1
			if left[path] then
				pending(("%s (%s): %s"):format(path, kind, left[path]))
			elseif not specs:find("%f[%w]" .. id .. "%f[%W]") then
				missing[#missing + 1] = path
			end
		end
	end

	it(("all have a spec but those above: %d"):format(count), function()
		assert.same({}, missing)
		assert.is_true(count >= 40)
	end)
end)
