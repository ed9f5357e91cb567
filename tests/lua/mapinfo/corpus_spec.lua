-- What lint finds in the corpus beside the findings of its index.
local lint = require "mapwright.mapinfo.lint"
local run = require "run"

local root = run.shared "corpus/mapinfo"

-- words of the index -> rule, and a part of its message in lower case
local kinds = {
	{ "deprecated atmosphere.skydir", "deprecated-key", "skydir" },
	{ "sunDir.w", "sundir-w-legacy" },
	{ "fogEnd", "fog-range" },
	{ "duplicate startPos", "startpos-too-close", "share" },
	{ "no mapfile", "mapfile-missing" },
	{ "maxMetal default", "max-metal-default" },
	{ "extractorRadius default", "extractor-radius-default" },
	{ "unused lighting.sunstartangle", "unused-key", "sunstartangle" },
	{ "unused lighting.sunorbittime", "unused-key", "sunorbittime" },
	{ "unused water.haswaterplane", "unused-key", "haswaterplane" },
	{ "unused lighting.specularsuncolor", "unused-key", "specularsuncolor" },
	{ "version inside name", "version-in-name" },
	{ "typo lighting.groudspecularcolor", "unknown-key", "groudspecularcolor" },
	{ "unknown key metalres", "unknown-key", "metalres" },
	{ "modtype=4", "modtype-not-map", "4" },
	{ "startPos without z", "startpos-missing-axis", "no z" },
	{ "splatDistrTex without splatDetailTex", "splat-incomplete", "splatdistrtex is set without" },
	{ "returns mixed-case keys", "mapinfo-mixed-case-returned" },
}

local function rows()
	local out, first = {}, true
	for line in io.lines(root .. "/index.tsv") do
		local f = {}
		for field in (line .. "\t"):gmatch "([^\t]*)\t" do f[#f + 1] = field end
		if not first then out[#out + 1] = { name = f[1], findings = f[#f] } end
		first = false
	end
	return out
end

describe("lint and the index of the corpus", function()
	if not root then
		pending "no corpus beside this checkout"
		return
	end

	it("count the same faults", function()
		local totals = {}
		for _, row in ipairs(rows()) do
			local evaluated = not row.findings:match "^!" and not row.findings:match "^NOT a"
			local found = lint.path(root .. "/" .. row.name)
			for _, kind in ipairs(evaluated and kinds or {}) do
				local listed, here = row.findings:find(kind[1], 1, true) ~= nil, false
				for _, f in ipairs(found) do
					here = here or f.id == kind[2]
						and f.message:lower():find(kind[3] or "", 1, true) ~= nil
				end
				assert.equal(listed, here, row.name .. ": " .. kind[1])
				totals[kind[1]] = (totals[kind[1]] or 0) + (here and 1 or 0)
			end
			if not evaluated then assert.is_true(lint.count(found).error + #found > 0, row.name) end
		end
		for _, kind in ipairs(kinds) do assert.is_true(totals[kind[1]] > 0, kind[1]) end
		print(("# %d without mapfile, %d old skyDir, %d sunDir.w, %d fogEnd, %d duplicate starts"):format(
			totals["no mapfile"], totals["deprecated atmosphere.skydir"], totals["sunDir.w"],
			totals.fogEnd, totals["duplicate startPos"]))
	end)
end)
