--- The keys of mapinfo.lua: the one table from which lint, `eval --effective`, the checks of a
--- build's `info`, the editor's class and the manual are made. A row is
---   { path, type, default, doc, source, unit = , min = , max = , ... }
--- path: `[n]` stands for any index of a list of the engine's, `1..4` for a digit.
--- type: string, int, float, bool, float3, float4, table, strings (an array of strings).
--- min, max: what the engine clamps to. default: what it takes when the key is absent; `same_as`
--- names the key whose value it takes, `default_text` says it in words.
--- unread: no engine code reads it, with the reason; `instead` names the key that is meant.
--- deprecated: still looked at, only to complain. index0: an array that counts from 0.
--- Sources are files of the Recoil engine (c936b71d) below rts/.
local scanner = "System/FileSystem/ArchiveScanner.cpp"
local mapinfo = "Map/MapInfo.cpp"

local function at(file, lines) return file .. ":" .. lines end
local function mi(lines) return at(mapinfo, lines) end
local function sc(lines) return at(scanner, lines) end

local M = { name = "mapinfo" }

local function row(path, kind, default, doc, source, more)
	local r = more or {}
	r.path, r.type, r.default, r.doc, r.source = path, kind, default, doc, source
	M[#M + 1] = r
end

-- ---- what the archive scanner reads ----------------------------------------
row("name", "string", nil, "Name of the map; with the version it is what start scripts say.",
	sc "74,186-198", { required = true, default_text = "none: the map is not listed" })
row("shortname", "string", "", "Short name, for lobbies only.", sc "75")
row("version", "string", "", "Appended to the name unless the name holds it already.",
	sc "76,186-198")
row("mutator", "string", "", "Of games; nothing for a map.", sc "77")
row("game", "string", "", "Of games; nothing for a map.", sc "78")
row("shortgame", "string", "", "Of games; nothing for a map.", sc "79")
row("description", "string", nil, "Text shown by lobbies.", sc "80; " .. mi "94",
	{ same_as = "name" })
row("author", "string", "", "Who made the map.", mi "95")
row("mapfile", "string", nil, "Path of the .smf inside the archive, as in \"maps/x.smf\".",
	sc "81,742-800", { default_text = "the first .smf of the archive" })
row("modtype", "int", nil, "Kind of archive: 3 is a map.", sc "82,117-120",
	{ min = 0, max = 5, default_text = "3 where there is a .smf" })
row("depend", "strings", nil, "Archives that must be there too; \"Map Helper v1\" always is.",
	sc "83,160-171,791")
row("replace", "strings", nil, "Archives that this one stands for.", sc "84,160-171")
row("onlyLocal", "bool", false, "Of games; nothing for a map.", sc "85")

-- ---- the map ----------------------------------------
row("maphardness", "float", 100,
	"Resistance of the ground to craters; negative turns them into hills.",
	mi "97,112")
row("notDeformable", "bool", false, "Whether explosions leave the ground as it is.", mi "98")
row("gravity", "float", 130, "Downward acceleration.", mi "100-102",
	{ unit = "elmo/s^2", min = 0.001 })
row("tidalStrength", "float", 0, "Energy of a tidal generator.", mi "104,113", { min = 0 })
row("maxMetal", "float", 0.02, "Metal of a cell is its byte in the metal map x maxMetal.",
	mi "105,114", { min = 0 })
row("extractorRadius", "float", 500, "Radius of the disc that a metal extractor covers.",
	mi "106,115", { unit = "elmo", min = 0 })
row("voidAlphaMin", "float", 0.9,
	"With voidGround: ground whose alpha is not above this is left out.",
	mi "107")
row("voidWater", "bool", false, "Neither water nor ground is drawn below 0.", mi "108")
row("voidGround", "bool", false, "Ground is left out where the texture's alpha is low.", mi "109")
row("autoShowMetal", "bool", true, "Whether placing an extractor shows the metal map.", mi "123")

-- ---- atmosphere ----------------------------------------
row("atmosphere.minWind", "float", 5, "Least wind.", mi "134,170-171", { min = 0 })
row("atmosphere.maxWind", "float", 25, "Most wind; less than minWind pulls that down.",
	mi "135,169-171",
	{ min = 0 })
row("atmosphere.fogStart", "float", 0.1, "Where fog begins, a share of the view range.", mi "137")
row("atmosphere.fogEnd", "float", 1, "Where fog is full, a share of the view range.", mi "138")
row("atmosphere.fogColor", "float3", { 0.7, 0.7, 0.8 }, "Colour of fog.", mi "139",
	{ color = true })
row("atmosphere.skyBox", "string", "", "Cube map (.dds), always below maps/.",
	mi "141; Rendering/Env/ISky.cpp:73-74", { file = "maps" })
row("atmosphere.skyColor", "float3", { 0.1, 0.15, 0.7 }, "Colour of the sky.", mi "142",
	{ color = true })
row("atmosphere.skyDir", "float3", nil, "Only complained about.", mi "144-146",
	{ deprecated = "it only makes the engine log a line", instead = "atmosphere.skyAxisAngle" })
row("atmosphere.skyAxisAngle", "float4", { 0, 0, 1, 0 },
	"Axis and angle (radians) that turn the sky box.",
	mi "149-159")
row("atmosphere.sunColor", "float3", { 1, 1, 1 }, "Colour of the sun.", mi "162", { color = true })
row("atmosphere.cloudColor", "float3", { 1, 1, 1 }, "Colour of clouds.", mi "163", { color = true })
row("atmosphere.fluidDensity", "float", 0.3, "Density of air, for drag.", mi "164",
	{ unit = "kg/m^3" })
row("atmosphere.cloudDensity", "float", 0.5, "How much of the sky is cloud.", mi "165,168",
	{ min = 0 })

row("splats.texScales", "float4", { 0.02, 0.02, 0.02, 0.02 }, "Tiling of the four splat textures.",
	mi "180")
row("splats.texMults", "float4", { 1, 1, 1, 1 }, "Strength of the four splat textures.", mi "181")

row("grass.bladeWaveScale", "float", 1, "How far blades sway; 0 keeps them still.", mi "190")
row("grass.bladeWidth", "float", 0.7, "Width of a blade of the engine's grass.", mi "191")
row("grass.bladeHeight", "float", 4.5, "Height of a blade of the engine's grass.", mi "192")
row("grass.bladeAngle", "float", 1, "Bend of a blade of the engine's grass.", mi "193")
row("grass.maxStrawsPerTurf", "int", 150, "Blades of one patch.", mi "194")
row("grass.bladeColor", "float3", { 0.1, 0.4, 0.1 }, "Colour of blades.", mi "195",
	{ color = true })

-- ---- lighting ----------------------------------------
row("lighting.sunDir", "float4", { 0, 1, 2, 1 },
	"Direction to the sun; a fourth number is its intensity.",
	mi "207-209", { short = 3 })
row("lighting.groundAmbientColor", "float3", { 0.5, 0.5, 0.5 }, "Light of the ground everywhere.",
	mi "211", { color = true })
row("lighting.groundDiffuseColor", "float3", { 0.5, 0.5, 0.5 }, "Sunlight on the ground.", mi "212",
	{ color = true })
row("lighting.groundSpecularColor", "float3", { 0.1, 0.1, 0.1 }, "Shine of the ground.", mi "213",
	{ color = true })
row("lighting.groundShadowDensity", "float", 0.8, "How dark shadows on the ground are.",
	mi "214,223",
	{ min = 0, max = 1 })
row("lighting.unitAmbientColor", "float3", { 0.4, 0.4, 0.4 }, "Light of units everywhere.",
	mi "216",
	{ color = true })
row("lighting.unitDiffuseColor", "float3", { 0.7, 0.7, 0.7 }, "Sunlight on units.", mi "217",
	{ color = true })
row("lighting.unitSpecularColor", "float3", nil, "Shine of units.", mi "218",
	{ same_as = "lighting.unitDiffuseColor", color = true })
row("lighting.unitShadowDensity", "float", 0.8, "How dark shadows on units are.", mi "219,224",
	{ min = 0, max = 1 })
row("lighting.specularExponent", "float", 100, "Sharpness of shine where there is no specularTex.",
	mi "221")

-- ---- water ----------------------------------------
row("water.fluidDensity", "float", 240, "Density of water, for drag.", mi "233",
	{ unit = "kg/m^3" })
row("water.repeatX", "float", 0, "Repetitions of the texture; 0 leaves it to the engine.", mi "234")
row("water.repeatY", "float", 0, "Repetitions of the texture; 0 leaves it to the engine.", mi "235")
row("water.damage", "float", 0, "Damage to what is in the water; half of it arrives. From 1000 on"
	.. " land units find their ways around it.", mi "236", { unit = "1/s" })
row("water.absorb", "float3", { 0, 0, 0 }, "Light lost on each elmo of depth.", mi "238")
row("water.baseColor", "float3", { 0, 0, 0 }, "Colour under shallow water.", mi "239",
	{ color = true })
row("water.minColor", "float3", { 0, 0, 0 }, "Darkest colour of deep water.", mi "240",
	{ color = true })
row("water.ambientFactor", "float", 1, "Share of ambient light.", mi "242")
row("water.diffuseFactor", "float", 1, "Share of sunlight.", mi "243")
row("water.specularFactor", "float", 1, "Share of shine.", mi "244")
row("water.specularPower", "float", 20, "Sharpness of shine.", mi "245")
row("water.planeColor", "float3", { 0, 0.4, 0 },
	"Colour of the plane around the map; being there turns it"
	.. " on.", mi "247", { color = true, presence = true })
row("water.surfaceColor", "float3", { 0.75, 0.8, 0.85 }, "Colour of the surface.", mi "250",
	{ color = true })
row("water.surfaceAlpha", "float", 0.55, "Opacity of the surface.", mi "251")
row("water.diffuseColor", "float3", { 1, 1, 1 }, "Colour of sunlight on water.", mi "252",
	{ color = true })
row("water.specularColor", "float3", nil, "Colour of shine on water.", mi "253",
	{ same_as = "lighting.groundDiffuseColor", color = true })
row("water.fresnelMin", "float", 0.2, "Reflection seen from above.", mi "255")
row("water.fresnelMax", "float", 0.8, "Added to fresnelMin as the view flattens.", mi "256")
row("water.fresnelPower", "float", 4, "How late fresnelMax sets in.", mi "257")
row("water.reflectionDistortion", "float", 1, "How much waves bend reflections.", mi "259")
row("water.blurBase", "float", 2, "Blur of reflections.", mi "261")
row("water.blurExponent", "float", 1.5, "Growth of that blur.", mi "262")
row("water.perlinStartFreq", "float", 8, "First frequency of the waves' noise.", mi "264")
row("water.perlinLacunarity", "float", 3, "Ratio of its frequencies.", mi "265")
row("water.perlinAmplitude", "float", 0.9, "Ratio of its amplitudes.", mi "266")
row("water.windSpeed", "float", 1, "Speed of the waves.", mi "267")
row("water.waveOffsetFactor", "float", 0, "Offset of shore waves.", mi "269")
row("water.waveLength", "float", 0.15, "Length of shore waves.", mi "270")
row("water.waveFoamDistortion", "float", 0.05, "Distortion of foam.", mi "271")
row("water.waveFoamIntensity", "float", 0.5, "Strength of foam.", mi "272")
row("water.causticsResolution", "float", 75, "Resolution of caustics.", mi "273")
row("water.causticsStrength", "float", 0.08, "Strength of caustics.", mi "274")
row("water.texture", "string", nil, "Texture of the surface.", mi "276,287-291",
	{ file = "either", default_text = "bitmaps/ocean.jpg" })
row("water.foamTexture", "string", nil, "Texture of foam.", mi "277,293-297",
	{ file = "either", default_text = "bitmaps/foam.jpg" })
row("water.normalTexture", "string", nil, "Texture of waves.", mi "278,299-312",
	{ file = "either", default_text = "bitmaps/waterbump_4tiles.dds" })
row("water.shoreWaves", "bool", true, "Whether waves run ashore.", mi "280")
row("water.forceRendering", "bool", false, "Draw water where no ground is below 0.", mi "282")
row("water.numTiles", "int", 4, "Rows and columns of pictures in normalTexture; counts with it.",
	mi "300-311", { min = 1, max = 16 })
row("water.caustics", "strings", nil, "Pictures of caustics below maps/, in turn.", mi "315-335",
	{ default_text = "32 pictures of the engine" })
row("water.hasWaterPlane", "bool", nil, "Nothing.", mi "248",
	{ unread = "the plane is there exactly when planeColor is", instead = "water.planeColor" })

-- ---- resources ----------------------------------------
local function texture(name, doc, lines, more)
	more = more or {}
	more.file = "either"
	row("resources." .. name, "string", "", doc, mi(lines), more)
end
texture("detailTex", "Fine pattern laid over the ground.", "374-381",
	{ default_text = "detailtex2.bmp" })
texture("specularTex", "Shine of the ground; alpha x 16 is its exponent. Four others need it.",
	"362")
texture("splatDetailTex", "Four grey patterns in red, green, blue and alpha.", "363")
texture("splatDistrTex", "Where each of the four patterns lies.", "364")
texture("grassShadingTex", "Colour of the engine's grass.", "365", { default_text = "the minimap" })
texture("skyReflectModTex", "How much the ground mirrors the sky.", "366",
	{ needs_specular = true })
texture("detailNormalTex", "Normals of the whole ground.", "367", { needs_specular = true })
texture("lightEmissionTex", "Ground that shines by itself.", "368", { needs_specular = true })
texture("parallaxHeightTex", "Relief of the ground.", "369", { needs_specular = true })
texture("grassBladeTex", "Picture of a blade of the engine's grass.", "197-198")
row("resources.splatDetailNormalTex", "table", nil, "Up to four normal textures, and alpha.",
	mi "358,383-390", { list_of = "file", max_items = 4 })
row("resources.splatDetailNormalTex.alpha", "bool", false, "Whether their alpha is brightness.",
	mi "384")
row("resources.splatDetailNormalDiffuseAlpha", "bool", false,
	"The same for the numbered keys.", mi "392", { numeric = true })
row("resources.splatDetailNormalTex1..4", "string", nil,
	"Normal textures one by one, without a gap.",
	mi "394-398; Map/SMF/SMFReadMap.cpp:289-291", { file = "either" })

-- ---- smf ----------------------------------------
row("smf.minHeight", "float", nil, "Height of the value 0, instead of the .smf's.",
	mi "405,407; Map/SMF/SMFReadMap.cpp:149", { unit = "elmo", default_text = "that of the .smf" })
row("smf.maxHeight", "float", nil, "Height of the value 65536, instead of the .smf's.",
	mi "406,408; Map/SMF/SMFReadMap.cpp:150", { unit = "elmo", default_text = "that of the .smf" })
row("smf.minimapTex", "string", "", "Minimap of the game; lobbies keep to the .smf's.",
	mi "410,415",
	{ file = "either" })
row("smf.metalmapTex", "string", "", "Metal map, exactly mapx/2 x mapy/2 pixels.",
	mi "411,416; Map/SMF/SMFReadMap.cpp:906-952", { file = "either", cells = 2 })
row("smf.typemapTex", "string", "", "Type map, exactly mapx/2 x mapy/2 pixels.",
	mi "412,417; Map/SMF/SMFReadMap.cpp:906-952", { file = "either", cells = 2 })
row("smf.grassmapTex", "string", "", "Grass map, exactly mapx/4 x mapy/4 pixels.",
	mi "413,418; Map/SMF/SMFReadMap.cpp:906-952", { file = "either", cells = 4 })
row("smf.smtFileName0..N", "string", nil, "Tile files instead of the .smf's; as many as it names.",
	mi "420-427; Map/SMF/SMFGroundTextures.cpp:89-193", { default_text = "those of the .smf" })

-- ---- terrain types, paths, sound ----------------------------------------
row("terrainTypes[0..255].name", "string", "Default", "Name of the type.", mi "441")
row("terrainTypes[0..255].hardness", "float", 1, "Factor of maphardness.", mi "442,451",
	{ min = 0.001 })
row("terrainTypes[0..255].receiveTracks", "bool", true, "Whether units leave tracks.", mi "443")
for _, kind in ipairs { "tank", "kbot", "hover", "ship" } do
	row("terrainTypes[0..255].moveSpeeds." .. kind, "float", 1, "Factor of the speed of " .. kind
		.. "s.",
		mi "445-448,452-455", { min = 0 })
end
local function pfs(name, kind, default, doc, line, more)
	row("pfs.qtpfsConstants." .. name, kind, default, doc, mi(line), more)
end
pfs("layersPerUpdate", "int", 5, "Layers made anew in one go.", "469")
pfs("maxTeamSearches", "int", 25, "Searches of a team in one go.", "470")
pfs("minNodeSizeX", "int", 8, "Least width of a node.", "471")
pfs("minNodeSizeZ", "int", 8, "Least depth of a node.", "472")
pfs("maxNodeDepth", "int", 16, "Most levels of the tree.", "473")
pfs("numSpeedModBins", "int", 10, "Steps of speed that are told apart.", "474")
pfs("minSpeedModVal", "float", 0, "Least of these speeds.", "475", { min = 0 })
pfs("maxSpeedModVal", "float", 2, "Most of these speeds.", "476", { min = 0 })
pfs("maxNodesSearched", "int", 0, "Nodes after which a search ends; 0: no end.", "477")
pfs("maxRelativeNodesSearched", "float", 0, "The same as a share.", "478")
row("pfs.legacyConstants", "table", nil, "Nothing.", mi "463,466",
	{ unread = "the code that read it is commented out" })
row("sound.preset", "string", "default", "Name of an EFX preset.", mi "489-492")
row("sound.passfilter.gainlf", "float", 1, "Gain of low frequencies.", mi "494-512")
row("sound.passfilter.gainhf", "float", 1, "Gain of high frequencies.", mi "494-512")
row("sound.reverb", "table", nil, "Nothing.", mi "514-540",
	{ unread = "the engine looks its names up in passfilter by mistake" })

-- ---- teams, the rest ----------------------------------------
row("teams[n].startPos.x", "float", 0, "Start position from the west edge; teams count from 0.",
	"Map/MapParser.cpp:62-85", { unit = "elmo", index0 = true })
row("teams[n].startPos.z", "float", 0, "Start position from the north edge.",
	"Map/MapParser.cpp:62-85", { unit = "elmo", index0 = true })
row("custom", "table", nil, "Free for game and map Lua; the engine never looks.", "-",
	{ open = true })
row("defaultoptions", "table", nil, "Only the loader of old .smd files reads it.",
	"cont/base/maphelper/maphelper/mapinfo.lua:90-95", { open = true })

-- ---- dead keys ----------------------------------------
local function dead(name, reason, instead)
	row(name, nil, nil, "Nothing.", mapinfo .. " (absent)", { unread = reason, instead = instead })
end
dead("lighting.sunStartAngle", "the moving sun it belonged to is gone")
dead("lighting.sunOrbitTime", "the moving sun it belonged to is gone")
dead("lighting.specularSunColor", "it was renamed", "lighting.groundSpecularColor")
dead("startpic", "only old .smd files had it")
dead("StartMusic", "only old .smd files had it")
dead("minimapRotation", "this engine has no such key")
dead("waterPlaneColor", "that is the spelling of .smd files", "water.planeColor")
dead("legacycoordsystem", "this engine has no such key")
dead("gameAreaW", "only the dead SM3 format had it")

-- ---- looking keys up ----------------------------------------
-- Sections whose names are free: any key below is somebody else's.
M.open = { custom = true, defaultoptions = true }

local by_path, sections = {}, {}
for _, r in ipairs(M) do
	local low = r.path:lower()
	by_path[low] = r
	local prefix = low
	repeat
		prefix = prefix:match "^(.*)[.%[][^.%[]*$"
		if prefix then sections[(prefix:gsub("%[.-%]", "[]"))] = true end
	until not prefix
end

-- "terraintypes[7].name" -> "terraintypes[0..255].name"
local function generic(path)
	return (path:gsub("^terraintypes%[%d+%]", "terraintypes[0..255]"):gsub("^teams%[%d+%]", "teams[n]")
		:gsub("^(resources%.splatdetailnormaltex)%d+$", "%11..4")
		:gsub("^(smf%.smtfilename)%d+$", "%10..n"))
end

--- The row of a path in lower case ("water.damage", "teams[0].startpos.x"), or nil.
function M.find(path)
	return by_path[generic(path)]
end

--- Whether keys are known below a path in lower case ("water", "terraintypes[3]").
function M.is_section(path)
	return sections[(path:gsub("%[.-%]", "[]"))] or false
end

--- The last names of the keys and sections known right below a section ("" for the top).
function M.names_in(section)
	local out, seen = {}, {}
	local want = generic(section):gsub("%[.-%]", "[]")
	for _, r in ipairs(M) do
		local path = r.path:gsub("%[.-%]", "[]")
		local rest = path:lower()
		if want == "" then
			rest = path
		elseif rest:sub(1, #want + 1) == want .. "." then
			rest = path:sub(#want + 2)
		else
			rest = nil
		end
		local name = rest and not r.unread and rest:match "^([^.%[]+)"
		if name and not seen[name] then
			seen[name] = true
			out[#out + 1] = (name:gsub("%d%.%.[%dN]+$", ""))
		end
	end
	return out
end

--- The engine's spelling of a path in lower case, where it is known: "lighting.sunDir".
function M.spelling(path)
	local r = M.find(path)
	return r and r.path
end

return M
