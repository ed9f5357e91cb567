-- Every rule of lint: the smallest input that fires it, and one beside it that does not.
local core = require "mapwright.core"
local lint = require "mapwright.mapinfo.lint"
local mini_map = require "mini_map"
local raw_zip = require "raw_zip"
local rules = require "mapwright.mapinfo.rules"
local run = require "run"
local sites = require "mapwright.mapinfo.site"

local smf, smt = mini_map.make { metal = function(x, z) return (x == 10 and z == 10) and 200
	or 0 end,
	heights = function(x, z) return 20000 + x * 7 + z end }

-- mapinfo.lua with these lines besides what every map has.
local function info(extra, without)
	local keys = { name = '"Vale"', version = '"1.0"', mapfile = '"maps/map.smf"', modtype = "3",
		maxMetal = "1.0", extractorRadius = "90", tidalStrength = "5" }
	for k in (without or ""):gmatch "%S+" do keys[k] = nil end
	local out = {}
	for _, k in ipairs { "name", "version", "mapfile", "modtype", "maxMetal", "extractorRadius",
		"tidalStrength" } do
		if keys[k] then out[#out + 1] = ("\t%s = %s,"):format(k, keys[k]) end
	end
	return "local mapinfo = {\n" .. table.concat(out, "\n") .. "\n" .. (extra or "")
		.. "\n}\nreturn mapinfo\n"
end

local STARTS = "teams = { [0] = { startPos = { x = 200, z = 200 } },"
	.. " [1] = { startPos = { x = 800, z = 800 } } },"

local function whole(files, text)
	local out = { ["mapinfo.lua"] = text or info(), ["maps/map.smf"] = smf, ["maps/mini.smt"] = smt }
	for name, content in pairs(files or {}) do
		out[name] = content or nil
	end
	return out
end

-- PNG, TGA and DDS heads; nothing else of a picture is looked at.
local function png(w, h) return "\137PNG\r\n\26\n\0\0\0\rIHDR" .. (">I4I4"):pack(w, h)
	.. ("\0"):rep(20) end
local function dds(w, h)
	return "DDS " .. ("<I4I4I4I4I4I4I4"):pack(124, 0, h, w, 0, 0, 1) .. ("\0"):rep(52) .. "DXT5"
		.. ("\0"):rep(80)
end
local function jpg(w, h) return "\255\216\255\192\0\17\8" .. (">I2I2"):pack(h, w)
	.. ("\0"):rep(20) end

-- A byte or word of the .smf changed.
local function patched(offset, code, value, bytes)
	bytes = bytes or smf
	local new = string.pack("<" .. code, value)
	return bytes:sub(1, offset) .. new .. bytes:sub(offset + #new + 1)
end

local function ids_of(case)
	local site
	if type(case) == "string" then case = { text = case } end
	if case.path then
		site = sites.open(case.path())
	else
		local files = case.files or { ["mapinfo.lua"] = case.text }
		site = sites.of(files)
		if case.solo then site.lone = true end
	end
	local findings = lint.site(site, { profile = case.profile })
	site.close()
	local out = {}
	for _, f in ipairs(findings) do
		assert.is_true(f.line >= 1 and f.col >= 1 and f.length >= 1)
		assert.is_truthy(f.message ~= "" and not f.message:find "\n")
		out[f.id] = f
	end
	return out
end

local function on_disk(name, bytes)
	return function()
		local path = run.folder() .. "/" .. name
		run.write(path, bytes)
		return path
	end
end

local function archive(name, entries)
	return function()
		local path = run.folder() .. "/" .. name
		local items = {}
		for entry, bytes in pairs(entries) do items[#items + 1] = { name = entry, bytes = bytes } end
		core.archive.write(path, core.archive.kind(name), "fast", items)
		return path
	end
end

local function bar(text) return { text = text, profile = "bar" } end
local function map(extra, files) return { files = whole(files, info(extra)) } end

local function smf_with(bytes, text) return { files = whole({ ["maps/map.smf"] = bytes },
	text) } end
local function made(options, text) return smf_with((mini_map.make(options)), text) end

local feature = { name = "rock", x = 100, z = 100, heading = 0 }
local function features(list) return { features = list } end
local function featured(list, files)
	local out = whole(files)
	out["maps/map.smf"] = mini_map.make(features(list))
	return { files = out }
end

-- The .smf with a feature block of these names and {type, x, z, rotation} records.
local function feature_block(names, records)
	local out = { ("<i4i4"):pack(#names, #records) }
	for _, name in ipairs(names) do out[#out + 1] = name .. "\0" end
	for _, r in ipairs(records) do
		out[#out + 1] = ("<i4fffff"):pack(r[1], r[2], 0, r[3], r[4] or 0, 1)
	end
	return smf_with(patched(72, "i4", #smf) .. table.concat(out))
end

-- The .smf with a tile block of {name, count} files, a number of tiles, one index for all cells.
local function tile_block(files, total, index)
	local out = { ("<i4i4"):pack(#files, total) }
	for _, f in ipairs(files) do out[#out + 1] = ("<i4z"):pack(f[2], f[1]) end
	return smf_with(patched(60, "i4", #smf) .. table.concat(out) .. ("<i4"):pack(index):rep(1024))
end

local function many(n, v)
	local out = {}
	for i = 1, n do out[i] = v end
	return out
end

-- A second grass header behind the first, everything else moved by its size.
local function second_grass(bytes)
	local out = bytes:sub(1, 92) .. bytes:sub(81, 92) .. bytes:sub(93)
	for at = 52, 72, 4 do out = patched(at, "i4", ("<i4"):unpack(bytes, at + 1) + 12, out) end
	local grass = ("<i4"):unpack(bytes, 89) + 12
	return patched(88, "i4", grass, patched(100, "i4", grass, patched(76, "i4", 2, out)))
end

local function solid_archive()
	local dir = run.folder()
	os.execute("mkdir -p " .. dir .. "/m/maps")
	for name, bytes in pairs { ["mapinfo.lua"] = info(), ["maps/map.smf"] = smf,
		["maps/mini.smt"] = smt } do
		run.write(dir .. "/m/" .. name, bytes)
	end
	local made_it = run.shell("cd " .. dir
		.. "/m && 7z a -t7z -ms=on -m0=lzma2 ../solid.sd7 mapinfo.lua maps")
	assert(made_it.status == 0, made_it.err)
	return dir .. "/solid.sd7"
end

local punched = ("\0\0\0\255\255\255\255\255"):rep(85) -- first end below the second, every index 3
local solid_map = { ["mapinfo.lua"] = info(), ["maps/map.smf"] = smf, ["maps/mini.smt"] = smt }
local loop = "local n = 0\nwhile true do n = n + 1 end"
local with_grass = mini_map.make { grass = function(x) return x % 3 end }

-- id = { fires, does not }
local cases = {
	["mapinfo-syntax"] = { "goto x", info() },
	["mapinfo-runtime"] = { "local x = nil\nreturn { name = x.y }", info() },
	["mapinfo-limit"] = { loop, info() },
	["mapinfo-bom"] = { "\239\187\191" .. info(), info() },
	["mapinfo-absent"] = { { files = { ["maps/map.smf"] = smf, ["maps/mini.smt"] = smt } }, map() },
	["mapinfo-no-table"] = { "local mapinfo = {}", info() },
	["mapinfo-scan-fails"] = { "local name = Map.fileName\n" .. info(),
		"local name = Map and Map.fileName\n" .. info() },
	["scan-file-exists"] = { "local x = VFS.FileExists('a')\n" .. info(),
		"if Map then local x = VFS.FileExists('a') end\n" .. info() },
	["mapinfo-missing-global"] = { info "gravity = 100 or table.unpack({1})", info "gravity = 100" },
	["mapinfo-math-random"] = { "math.randomseed(5)\n" .. info(), info() },
	["mapinfo-leaked-global"] = { "wind = 5\n" .. info(), "local wind = 5\n" .. info() },
	["mapinfo-no-postprocess"] = {
		{ files = { ["mapinfo.lua"] = info(), ["mapconfig/mapinfo/a.lua"] = "return {}" } },
		{ files = { ["mapinfo.lua"] = "if Map then VFS.Include('mapconfig/mapinfo/a.lua') end\n"
			.. info(),
			["mapconfig/mapinfo/a.lua"] = "return {}" } } },
	["mapinfo-option-path-error"] = {
		{ files = { ["mapinfo.lua"] = "if Map and Spring.GetMapOptions().dry == '1' then"
			.. " error('dry') end\n"
			.. info(), ["mapoptions.lua"] = "return {{ key = 'dry', type = 'bool', def = false }}" } },
		{ files = { ["mapinfo.lua"] = info(),
			["mapoptions.lua"] = "return {{ key = 'dry', type = 'bool', def = false }}" } } },
	["mapinfo-case-duplicate"] = { info "Gravity = 100, gravity = 130", info "gravity = 130" },
	["duplicate-key"] = { info "gravity = 100,\ngravity = 130", info "gravity = 100" },
	["mapinfo-mixed-case-returned"] = { info(), 'return { name = "Vale" }' },
	["escape-5.1"] = { info [[author = "\x41"]], info [[author = "\065"]] },
	["table-contains-itself"] = { "local t = { name = 'a' }\nt.custom = { t }\nreturn t", info() },
	["unreadable-value"] = { info "custom = { f = function() end }", info "custom = { f = 1 }" },

	["bar-static-first-statement"] = { bar("local x = 5\n" .. info()), bar(info()) },
	["bar-static-expression"] = { bar(info "gravity = 100 + 30"), bar(info "gravity = 130") },
	["bar-negative-in-array"] = { bar(info "lighting = { sunDir = { 1, 1, -1 } }"),
		bar(info "lighting = { sunDir = { 1, 1, 1 } }") },
	["bar-mixed-table"] = {
		bar(info "resources = { splatDetailNormalTex = { 'a.dds', alpha = true } }"),
		bar(info "resources = { splatDetailNormalTex = { 'a.dds' } }") },
	["bar-smf-key-case"] = { bar(info "smf = { minHeight = 1, maxHeight = 2 }"),
		bar(info "smf = { minheight = 1, maxheight = 2 }") },
	["bar-mapinfo-file-name"] = { { files = { ["MapInfo.lua"] = info() }, profile = "bar" },
		bar(info()) },
	["bar-tidal-missing"] = { bar(info("", "tidalStrength")), bar(info()) },
	["bar-lighting-sundir-missing"] = { bar(info()), bar(info "lighting = { sunDir = { 0, 1, 2 } }") },

	["unknown-key"] = { info "gravty = 130", info "gravity = 130" },
	["unused-key"] = { info "lighting = { sunStartAngle = 0 }",
		info "lighting = { sunDir = { 0, 1, 2 } }" },
	["deprecated-key"] = { info "atmosphere = { skyDir = { 0, 0, 1 } }",
		info "atmosphere = { skyBox = '' }" },
	["wrong-type"] = { info "gravity = true", info "gravity = 130" },
	["string-number"] = { info "gravity = 'lots'", info "gravity = 130" },
	["number-as-string"] = { info "gravity = '130'", info "gravity = 130" },
	["loose-boolean"] = { info "voidWater = 1", info "voidWater = true" },
	["value-clamped"] = { info "atmosphere = { minWind = 9, maxWind = 3 }",
		info "atmosphere = { minWind = 3, maxWind = 9 }" },
	["nan-or-inf"] = { info "water = { damage = 0/0 }", info "water = { damage = 0 }" },
	["nan-top-level"] = { info "gravity = math.huge", info "gravity = 130" },

	["name-missing"] = { info("", "name"), info() },
	["name-semicolon"] = { info("name = 'a;b',", "name"), info() },
	["name-not-string"] = { info("name = 42,", "name"), info() },
	["numeric-version"] = { info("version = 2,", "version"), info() },
	["version-in-name"] = { info("name = 'Vale 1.0',", "name"), info() },
	["modtype-not-map"] = { info("modtype = 1,", "modtype"), info() },
	["modtype-missing"] = { info("", "modtype"), info() },
	["mapfile-missing"] = { info("", "mapfile"), info() },
	["mapfile-not-found"] = { { files = whole({}, info("mapfile = 'maps/other.smf',", "mapfile")) },
		map() },
	["mapfile-case"] = { { files = whole({}, info("mapfile = 'maps/Map.smf',", "mapfile")) }, map() },
	["smf-ambiguous"] = { { files = whole({ ["maps/two.smf"] = smf }, info("", "mapfile")) },
		{ files = whole({}, info("", "mapfile")) } },
	["smf-outside-maps"] = { { files = { ["mapinfo.lua"] = info("mapfile = 'map.smf',", "mapfile"),
		["map.smf"] = smf, ["mini.smt"] = smt } }, map() },
	["depend-unknown"] = { info "depend = { 'Rocks v1' }", info "depend = { 'Map Helper v1' }" },

	["max-metal-default"] = { info("", "maxMetal"), info() },
	["extractor-radius-default"] = { info("", "extractorRadius"), info() },
	["metal-unused"] = { made {}, map() },
	["metal-layout-ignored"] = {
		{ files = whole { ["mapconfig/map_metal_layout.lua"] = "return { spots = {} }" },
			profile = "bar" },
		{ files = whole(), profile = "bar" } },
	["height-override-partial"] = { info "smf = { minheight = 1 }",
		info "smf = { minheight = 1, maxheight = 2 }" },
	["height-inverted"] = { info "smf = { minheight = 2, maxheight = 1 }",
		info "smf = { minheight = 1, maxheight = 2 }" },
	["height-flat"] = { info "smf = { minheight = 1, maxheight = 1 }",
		info "smf = { minheight = 1, maxheight = 2 }" },
	["height-header-mismatch"] = { map "smf = { minheight = 1, maxheight = 2 }",
		map "smf = { minheight = 0, maxheight = 200 }" },
	["height-all-underwater"] = { made { min_height = -500, max_height = -100 }, map() },
	["height-range-large"] = { made { max_height = 30000, heights = function(x) return x * 500 end },
		map() },
	["height-clipped"] = { made { heights = function(x) return x > 100 and 65535 or x * 600 end },
		map() },
	["height-8bit"] = { made { heights = function(x) return x * 256 end }, map() },

	["startpos-none"] = { info(), info(STARTS) },
	["startpos-missing-axis"] = { info "teams = { [0] = { startPos = { x = 5 } } }", info(STARTS) },
	["startpos-gap"] = { info((STARTS:gsub("%[1%]", "[2]"))), info(STARTS) },
	["startpos-from-one"] = { info "teams = { [1] = { startPos = { x = 5, z = 5 } } }", info(STARTS) },
	["teams-string-keys"] = { info "teams = { ['0'] = { startPos = { x = 5, z = 5 } } }",
		info(STARTS) },
	["startpos-outside"] = { map "teams = { [0] = { startPos = { x = 5000, z = 5 } } }", map(STARTS) },
	["startpos-underwater"] = { made({ min_height = -200, max_height = 200 }, info(STARTS)),
		map(STARTS) },
	["startpos-too-close"] = { info((STARTS:gsub("800", "210"))), info(STARTS) },
	["startpos-steep"] = { made({ max_height = 4000, heights = function(x) return x * 500 end },
		info(STARTS)),
		map(STARTS) },
	["startpos-no-metal"] = {
		{ files = whole({}, info "teams = { [0] = { startPos = { x = 1000, z = 1000 } } }"),
			profile = "bar" },
		{ files = whole({}, info(STARTS)), profile = "bar" } },

	["terraintype-undeclared"] = { made({ types = function(x) return x > 9 and 7 or 0 end },
		info "terrainTypes = { [0] = { name = 'a' } }"), map "terrainTypes = { [0] = { name = 'a' } }" },
	["terraintype-unused"] = { map "terrainTypes = { [0] = { name = 'a' }, [3] = { name = 'b' } }",
		map "terrainTypes = { [0] = { name = 'a' } }" },
	["terraintype-index-range"] = { info "terrainTypes = { [256] = { name = 'a' } }",
		info "terrainTypes = { [255] = { name = 'a' } }" },
	["terraintypes-string-keys"] = { info "terrainTypes = { ['0'] = { name = 'a' } }",
		info "terrainTypes = { [0] = { name = 'a' } }" },
	["terraintypes-from-one"] = { info "terrainTypes = { { name = 'a' } }",
		info "terrainTypes = { [0] = { name = 'a' } }" },

	["sundir-w-legacy"] = { info "lighting = { sunDir = { 0, 1, 2, 1e9 } }",
		info "lighting = { sunDir = { 0, 1, 2, 1 } }" },
	["sundir-horizontal-or-below"] = { info "lighting = { sunDir = { 1, 0, 0 } }",
		info "lighting = { sunDir = { 1, 0.1, 0 } }" },
	["fog-range"] = { info "atmosphere = { fogStart = 0.5, fogEnd = 500 }",
		info "atmosphere = { fogStart = 0.5, fogEnd = 0.9 }" },
	["water-plane-accident"] = { info "voidWater = true, water = { planeColor = { 0, 0, 1 } }",
		info "water = { planeColor = { 0, 0, 1 } }" },
	["water-damage-pathing"] = { info "water = { damage = 1000 }", info "water = { damage = 999 }" },
	["water-fresnel-saturates"] = { info "water = { fresnelMin = 0.4, fresnelMax = 0.8 }",
		info "water = { fresnelMin = 0.2, fresnelMax = 0.8 }" },

	["resource-missing"] = { map "resources = { detailTex = 'no.png' }",
		map("resources = { detailTex = 'd.png' }", { ["maps/d.png"] = png(64, 64) }) },
	["skybox-missing"] = { map("atmosphere = { skyBox = 's.dds' }", { ["s.dds"] = dds(64, 64) }),
		map("atmosphere = { skyBox = 's.dds' }", { ["maps/s.dds"] = dds(64, 64) }) },
	["resource-case"] = { map("resources = { detailTex = 'D.png' }", { ["maps/d.png"] = png(64, 64) }),
		map("resources = { detailTex = 'd.png' }", { ["maps/d.png"] = png(64, 64) }) },
	["splat-incomplete"] = { info "resources = { splatDistrTex = 'a.png' }",
		info "resources = { splatDistrTex = 'a.png', splatDetailTex = 'b.png' }" },
	["dnts-gap"] = { info "resources = { splatDetailNormalTex1 = 'a', splatDetailNormalTex3 = 'b' }",
		info "resources = { splatDetailNormalTex1 = 'a', splatDetailNormalTex2 = 'b' }" },
	["dnts-too-many"] = { info "resources = { splatDetailNormalTex = { 'a', 'b', 'c', 'd', 'e' } }",
		info "resources = { splatDetailNormalTex = { 'a', 'b', 'c', 'd' } }" },
	["dnts-mixed-forms"] = {
		info "resources = { splatDetailNormalTex = { 'a' }, splatDetailNormalTex1 = 'b' }",
		info "resources = { splatDetailNormalTex = { 'a' } }" },
	["needs-specular"] = { info "resources = { detailNormalTex = 'a.dds' }",
		info "resources = { detailNormalTex = 'a.dds', specularTex = 'b.dds' }" },
	["parallax-size"] = {
		map("resources = { specularTex = 'a.png', parallaxHeightTex = 'b.png' }",
			{ ["maps/a.png"] = png(64, 64), ["maps/b.png"] = png(32, 32) }),
		map("resources = { specularTex = 'a.png', parallaxHeightTex = 'b.png' }",
			{ ["maps/a.png"] = png(64, 64), ["maps/b.png"] = png(64, 64) }) },
	["texture-not-power-of-two"] = { map("resources = { detailTex = 'd.png' }",
		{ ["maps/d.png"] = png(60, 64) }),
		map("resources = { detailTex = 'd.png' }", { ["maps/d.png"] = png(64, 64) }) },
	["texture-aspect"] = { map("resources = { specularTex = 'd.png' }", { ["maps/d.png"] = png(128,
		64) }),
		map("resources = { specularTex = 'd.png' }", { ["maps/d.png"] = png(64, 64) }) },
	["texture-too-large"] = { map("resources = { detailTex = 'd.png' }", { ["maps/d.png"] = png(32768,
		64) }),
		map("resources = { detailTex = 'd.png' }", { ["maps/d.png"] = png(16384, 64) }) },
	["texture-unreadable"] = { map("resources = { detailTex = 'd.png' }", { ["maps/d.png"] = "text" }),
		map("resources = { detailTex = 'd.png' }", { ["maps/d.png"] = png(64, 64) }) },
	["dds-orientation"] = {
		map("resources = { specularTex = 'd.dds' }", { ["maps/d.dds"] = dds(64, 64),
			["maps/d.png"] = png(64, 64) }),
		map("resources = { specularTex = 'd.dds' }", { ["maps/d.dds"] = dds(64, 64) }) },
	["jpg-normal-map"] = {
		map("resources = { specularTex = 'n.jpg', detailNormalTex = 'n.jpg' }",
			{ ["maps/n.jpg"] = jpg(64, 64) }),
		map("resources = { specularTex = 'n.jpg', detailNormalTex = 'n.png' }",
			{ ["maps/n.jpg"] = jpg(64, 64), ["maps/n.png"] = png(64, 64) }) },
	["smt-override-count"] = { map "smf = { smtFileName0 = 'mini.smt', smtFileName1 = 'mini.smt' }",
		map "smf = { smtFileName0 = 'mini.smt' }" },
	["smt-override-missing"] = { map "smf = { smtFileName0 = 'other.smt' }",
		map "smf = { smtFileName0 = 'mini.smt' }" },
	["override-map-size"] = { map("smf = { metalmapTex = 'm.png' }", { ["maps/m.png"] = png(63, 64) }),
		map("smf = { metalmapTex = 'm.png' }", { ["maps/m.png"] = png(64, 64) }) },

	["smf-missing"] = { { path = archive("a.sdz", { ["mapinfo.lua"] = info() }) }, map() },
	["smf-header"] = { smf_with(patched(0, "I4", 0)), map() },
	["smf-size-not-128"] = { made { squares = { 192, 128 }, force_size = true }, map() },
	["smf-size-crash"] = { made { squares = { 128, 384 }, force_size = true }, map() },
	["smf-pointer-range"] = { smf_with(smf:sub(1, 30000)), map() },
	["smf-block-overlap"] = { smf_with(patched(56, "i4", (("<i4"):unpack(smf, 53)))), map() },
	["smf-height-range"] = { smf_with(patched(48, "f", 0 / 0)), map() },
	["smf-tile-index-range"] = { tile_block({ { "mini.smt", 1 } }, 1, 5), map() },
	["smf-tile-count-sum"] = { tile_block({ { "mini.smt", 1 } }, 0, 0), map() },
	["smf-tile-name"] = { tile_block({ { "", 1 } }, 1, 0), map() },
	["smt-missing"] = { { files = { ["mapinfo.lua"] = info(), ["maps/map.smf"] = smf } }, map() },
	["smt-case"] = { { files = { ["mapinfo.lua"] = info(), ["maps/map.smf"] = smf,
		["maps/Mini.SMT"] = smt } },
		map() },
	["smt-header"] = { { files = whole { ["maps/mini.smt"] = "X" .. smt:sub(2) } }, map() },
	["smt-short"] = { tile_block({ { "mini.smt", 2 } }, 2, 1), map() },
	["smt-count"] = { { files = whole { ["maps/mini.smt"] = patched(20, "I4", 9, smt) } }, map() },
	["smt-trailing"] = { { files = whole { ["maps/mini.smt"] = smt .. "more" } }, map() },
	["tile-alpha"] = { { files = whole { ["maps/mini.smt"] = core.smt.write(punched:rep(1)) } },
		map() },
	["tile-unused"] = { tile_block({ { "mini.smt", 2 } }, 2, 1), map() },
	["name-directory"] = { tile_block({ { "maps/mini.smt", 1 } }, 1, 0), map() },
	["smf-feature-name-length"] = { feature_block({ ("n"):rep(31) }, {}), featured { feature } },
	["smf-feature-types"] = { feature_block(many(16385, "a"), {}), featured { feature } },
	["smf-feature-index"] = { feature_block({ "rock" }, { { 5, 10, 10 } }), featured { feature } },
	["smf-feature-number"] = { feature_block({ "rock" }, { { 0, 0 / 0, 10 } }), featured { feature } },
	["feature-outside"] = { feature_block({ "rock" }, { { 0, 5000, 10 } }), featured { feature } },
	["feature-heading"] = { feature_block({ "rock" }, { { 0, 10, 10, 70000 } }),
		featured { feature } },
	["feature-rotation-degrees"] = { featured { { name = "rock", x = 1, z = 1, heading = 90 },
		{ name = "rock", x = 9, z = 9, heading = 180 }, { name = "rock", x = 20, z = 9, heading = 270 } },
		featured { { name = "rock", x = 1, z = 1, heading = 16384 }, feature, feature } },
	["feature-unknown"] = { featured { feature },
		featured({ feature }, { ["features/rock.lua"] = "return { Rock = {} }" }) },
	["feature-name-builtin"] = { featured { { name = "mytreetype5", x = 1, z = 1, heading = 0 } },
		featured { { name = "TreeType5", x = 1, z = 1, heading = 0 } } },
	["feature-count"] = { feature_block({ "rock" }, many(32001, { 0, 10, 10 })),
		featured { feature } },
	["extra-header-size"] = { smf_with(patched(84, "i4", 7, patched(80, "i4", 4, with_grass))),
		smf_with(with_grass) },
	["extra-header-count"] = { smf_with(patched(76, "i4", -1)), map() },
	["extra-header-twice"] = { smf_with(second_grass(with_grass)), smf_with(with_grass) },
	["grass-255"] = { made { grass = function() return 255 end }, smf_with(with_grass) },
	["grass-binary"] = { made { grass = function(x) return x % 2 end }, smf_with(with_grass) },
	["minimap-blank"] = { map(), made { minimap = ("\0\255\1\0\0\0\0\0"
		.. "\5\255\1\0\0\0\0\0"):rep(43690)
		.. ("\0"):rep(699048 - 43690 * 16) } },
	["minimap-stretched-alpha"] = { made { minimap = punched:rep(1):sub(1, 8):rep(87381) }, map() },

	["archive-case-collision"] = {
		{ path = on_disk("a.sdz", raw_zip.make { { "mapinfo.lua", info() }, { "a.txt", "1" }, { "A.txt",
			"2" } }) },
		{ path = on_disk("a.sdz", raw_zip.make { { "mapinfo.lua", info() }, { "a.txt", "1" } }) } },
	["archive-nested"] = { { path = archive("a.sdz", { ["vale/mapinfo.lua"] = info(),
		["vale/maps/a.smf"] = smf }) },
		{ path = archive("a.sdz", solid_map) } },
	["archive-backslash"] = {
		{ path = on_disk("a.sdz", raw_zip.make { { "mapinfo.lua", info() }, { "maps\\a.txt", "1" } }) },
		{ path = on_disk("a.sdz", raw_zip.make { { "mapinfo.lua", info() }, { "maps/a.txt", "1" } }) } },
	["archive-unsafe-name"] = {
		{ path = on_disk("a.sdz", raw_zip.make { { "mapinfo.lua", info() }, { "../a.txt", "1" } }) },
		{ path = on_disk("a.sdz", raw_zip.make { { "mapinfo.lua", info() }, { "a.txt", "1" } }) } },
	["archive-solid"] = { { path = solid_archive, profile = "bar" }, { path = archive("a.sd7",
		solid_map), profile = "bar" } },
	["archive-format"] = {
		{ path = on_disk("a.sdz", raw_zip.make { { "mapinfo.lua", info() }, { "a.txt", "1",
			method = 12 } }) },
		{ path = on_disk("a.sdz", raw_zip.make { { "mapinfo.lua", info() }, { "a.txt", "1" } }) } },
	["archive-container"] = { { path = on_disk("a.sd7", raw_zip.make { { "mapinfo.lua", info() } }) },
		{ path = on_disk("a.sdz", raw_zip.make { { "mapinfo.lua", info() } }) } },
	["archive-junk"] = { { files = whole { ["maps/source.psd"] = "x" } }, map() },
	["archive-filename-space"] = { { path = archive("a b.sd7", solid_map), profile = "bar" },
		{ path = archive("a_b.sd7", solid_map), profile = "bar" } },
	["archive-sdz-bar"] = { { path = archive("a.sdz", solid_map), profile = "bar" },
		{ path = archive("a.sd7", solid_map), profile = "bar" } },
	["bar-map-too-big"] = { { files = whole { ["maps/map.smf"] = mini_map.make { squares = { 2176,
		256 } } },
		profile = "bar" }, { files = whole(), profile = "bar" } },
	["startboxes-empty"] = { { files = whole { ["mapconfig/map_startboxes.lua"] = "return {}" } },
		{ files = whole { ["mapconfig/map_startboxes.lua"] = "return { [0] = { boxes = {} } }" } } },
	["mapoptions-broken"] = { { files = { ["mapinfo.lua"] = info(),
		["mapoptions.lua"] = "return {" } },
		{ files = { ["mapinfo.lua"] = info(), ["mapoptions.lua"] = "return {}" } } },
	["lua-broken"] = { { files = { ["mapinfo.lua"] = info(), ["features/a.lua"] = "return {" } },
		{ files = { ["mapinfo.lua"] = info(), ["features/a.lua"] = "return {}" } } },
}

describe("lint", function()
	after_each(run.clean)

	for _, rule in ipairs(rules) do
		local case = cases[rule.id]
		it("has a case for " .. rule.id, function() assert.is_truthy(case) end)
		if case then
			it(rule.id .. " fires", function()
				local found = ids_of(case[1])
				assert.is_truthy(found[rule.id])
			end)
		end
		if case then
			it(rule.id .. " keeps quiet beside it", function()
				assert.is_nil(ids_of(case[2])[rule.id])
			end)
		end
	end

	it("has no case for a rule that does not exist", function()
		for id in pairs(cases) do assert.is_truthy(rules.find(id), id) end
	end)
end)
