--- What lint knows: the one table behind `--rules`, `--explain`, the manual page and SARIF. A row:
---   { id, severity, title, explanation, profile = , fix = }
--- severity: error (the engine crashes, refuses, or takes something else than was meant, unseen),
--- warning (legal, but hardly what was meant), info. profile: "bar" rows count only with
--- --profile=bar. fix: lint --fix can mend it.
local M = {}
local by_id = {}

local function group(name, rows)
	for _, r in ipairs(rows) do
		r.group = name
		r.id, r.severity, r.title, r.text = r[1], r[2], r[3], r[4]
		by_id[r.id] = r
		M[#M + 1] = r
	end
end

group("The file as Lua", {
	{ "mapinfo-syntax", "error", "the file is not Lua 5.1",
		"The engine cannot load the map. It reads Lua 5.1: no goto, no //, no & | ~ << >>." },
	{ "mapinfo-runtime", "error", "the file raises an error",
		"The engine refuses the map while it loads. The message is that of Lua, with its line." },
	{ "mapinfo-limit", "error", "the file does not end, or takes too much memory",
		"The engine has no limit: it hangs or dies. Here the run ends at 50 million steps, 1.5"
		.. " seconds or 64 MiB." },
	{ "mapinfo-bom", "error", "the file begins with a byte order mark or a # line",
		"The engine hands the bytes to Lua as they are, and Lua refuses them: the map does not load."
		.. " Save the file as UTF-8 without a mark.", fix = true },
	{ "mapinfo-absent", "info", "there is no mapinfo.lua",
		"The engine falls back to the .smd beside the .smf, or to its defaults; BAR's pipeline takes"
		.. " only maps with a mapinfo.lua." },
	{ "mapinfo-no-table", "warning", "the file returns no table",
		"The engine takes its default for every key and says nothing." },
	{ "mapinfo-scan-fails", "warning", "the file fails in the archive scan",
		"The scanner runs the text alone: no file of the map can be included, Map and"
		.. " Spring.GetMapOptions do not exist. When that run fails the map is listed under the name"
		.. " of its .smf, without its own name and version. Put such code inside"
		.. " `if Map then ... end`." },
	{ "scan-file-exists", "error", "VFS.FileExists is called in the archive scan",
		"The engine and its lobby library crash there while they look through all archives: one such"
		.. " map ends every start of every game. Put the call inside `if Map then ... end`." },
	{ "mapinfo-missing-global", "warning", "a name that does not exist here is used",
		"The map parser has base, math, table, string, coroutine, VFS, Spring.Echo, Engine, LOG,"
		.. " Script, Encoding, and Map while a game loads. Everything else is nil." },
	{ "mapinfo-math-random", "warning", "math.random returns nothing",
		"In the map parser math.random and math.randomseed do nothing and return no value." },
	{ "mapinfo-leaked-global", "warning", "a global variable is assigned",
		"Overrides see it and may be changed by it. Write `local`." },
	{ "mapinfo-no-postprocess", "info", "mapconfig/mapinfo is not merged",
		"The folder holds files, but mapinfo.lua never includes them: they do nothing." },
	{ "mapinfo-option-path-error", "warning", "a value of a map option makes the file fail",
		"Whoever picks that value in the lobby cannot load the map." },
	{ "mapinfo-case-duplicate", "warning", "two keys differ in case only",
		"Keys are compared in lower case. The spelling in lower case wins; between two others chance"
		.. " decides." },
	{ "duplicate-key", "warning", "a key is given twice",
		"The last one counts; the first does nothing." },
	{ "mapinfo-mixed-case-returned", "info", "keys are returned as they are spelt",
		"The engine does not mind, but game Lua that includes mapinfo.lua looks for names in lower"
		.. " case (lighting.sundir, custom.grassconfig). The usual tail lowers them." },
	{ "escape-5.1", "warning", "an escape that Lua 5.1 does not know",
		"\\x41 is \"x41\" and \\z is \"z\" here. Write decimal escapes such as \\065." },
	{ "table-contains-itself", "error", "the returned table contains itself",
		"The engine and its lobby library die while they scan archives: they follow the table for"
		.. " ever." },
	{ "unreadable-value", "warning", "a value that the engine cannot read",
		"Functions, and keys that are neither text nor number, are passed over." },
})

group("What BAR's pipeline reads without running it", {
	{ "bar-static-first-statement", "warning", "the first statement is not the table",
		"The pipeline looks for a table in the first statement of mapinfo.lua (`local mapinfo = {`)"
		.. " and finds nothing otherwise.", profile = "bar" },
	{ "bar-static-expression", "warning", "a value is computed",
		"The pipeline reads literals only; a value that is an expression is missing on the map's page.",
		profile = "bar" },
	{ "bar-negative-in-array", "warning", "a negative number in a list",
		"The pipeline drops negative numbers of lists without names: a sunDir loses a component.",
		profile = "bar" },
	{ "bar-mixed-table", "warning", "a list with named keys in it",
		"The pipeline keeps the list and drops the names.", profile = "bar" },
	{ "bar-smf-key-case", "warning", "smf.minheight or smf.maxheight in mixed case",
		"The pipeline finds these two in lower case only: the map's page shows the wrong range.",
		profile = "bar", fix = true },
	{ "bar-mapinfo-file-name", "error", "the file is not called mapinfo.lua at the root",
		"The pipeline looks for exactly that name.", profile = "bar" },
	{ "bar-tidal-missing", "error", "tidalStrength is not set",
		"Making the metadata of the map fails without it.", profile = "bar" },
	{ "bar-lighting-sundir-missing", "error", "lighting.sunDir is not set",
		"A widget of the game reads it without asking and fails.", profile = "bar" },
})

group("Keys", {
	{ "unknown-key", "warning", "a key that nobody reads",
		"Neither the engine nor the known game Lua reads it: most often a misspelt one. Keys of one's"
		.. " own belong into `custom`." },
	{ "unused-key", "info", "a dead key",
		"An older engine read it, or it looks as if it did something. It does nothing.", fix = true },
	{ "deprecated-key", "warning", "a deprecated key",
		"The engine only writes a line about it into its log.", fix = true },
	{ "wrong-type", "error", "a value of a type that does not serve",
		"The engine takes its default instead, without a word: a table for a number, a colour with"
		.. " two numbers or with names, a word for true or false." },
	{ "string-number", "warning", "text where a number belongs",
		"Text that is no number reads as 0 (an older engine takes its default)." },
	{ "number-as-string", "info", "a number in quotes",
		"The engine takes it; other readers may not.", fix = true },
	{ "loose-boolean", "warning", "a number or text where true or false belongs",
		"1, 0, \"true\" and \"false\" are taken; anything else would be the default.", fix = true },
	{ "value-clamped", "warning", "a value outside what the engine allows",
		"The engine moves it to the nearest allowed value without a word." },
	{ "nan-or-inf", "warning", "a number that is no number",
		"The engine warns in its log and goes on with it." },
	{ "nan-top-level", "error", "a number at the top level that is no number",
		"The scanner writes it into the user's archive cache, which the next start cannot read any"
		.. " more: a full scan of all archives, each time." },
})

group("Name, version, files", {
	{ "name-missing", "error", "there is no name",
		"The engine does not list the map at all." },
	{ "name-semicolon", "error", "the name holds a semicolon",
		"No start script can say it: the map cannot be played." },
	{ "name-not-string", "error", "the name is a number",
		"The engine makes text with six digits of it: 42 becomes \"42.000000\"." },
	{ "numeric-version", "warning", "the version is a number",
		"The engine makes text with six digits of it, 2 becomes \"2.000000\", and BAR's pipeline"
		.. " \"2\": the names differ. Put it in quotes.", fix = true },
	{ "version-in-name", "warning", "the name holds the version",
		"The engine then does not append it: the archive is called by the name alone." },
	{ "modtype-not-map", "warning", "modtype is not 3",
		"3 is a map. The engine takes 3 whenever there is a .smf.", fix = true },
	{ "modtype-missing", "info", "modtype is not set",
		"The engine takes 3 whenever there is a .smf." },
	{ "mapfile-missing", "warning", "mapfile is not set",
		"The engine looks through the whole archive and takes the first .smf it finds." },
	{ "mapfile-not-found", "error", "mapfile is not there",
		"The engine cannot open the map and crashes after saying so." },
	{ "mapfile-case", "warning", "mapfile is spelt in another case",
		"The engine finds it; other tools may not.", fix = true },
	{ "smf-ambiguous", "error", "several .smf and no mapfile",
		"The engine takes the first one it finds." },
	{ "smf-outside-maps", "warning", "the .smf is not in maps/",
		"It loads, but its tile file is looked for beside it." },
	{ "depend-unknown", "warning", "depends on another archive",
		"Without it the map does not load (\"Dependent archive not found\"). \"Map Helper v1\" is always"
		.. " there." },
})

group("Metal and heights", {
	{ "max-metal-default", "warning", "maxMetal is not set, or 0.02",
		"0.02 is the engine's default: a full cell gives next to nothing. Games that place their own"
		.. " metal do not care." },
	{ "extractor-radius-default", "warning", "extractorRadius is not set, or 500",
		"500 elmos is the engine's default: one extractor covers most of a small map." },
	{ "metal-unused", "info", "the metal map is empty",
		"maxMetal has nothing to multiply and there is no metal layout either." },
	{ "metal-layout-ignored", "warning", "a metal layout beside a metal map",
		"BAR places the spots of mapconfig/map_metal_layout.lua only when the .smf has no metal at all.",
		profile = "bar" },
	{ "height-override-partial", "warning", "only one of smf.minHeight and smf.maxHeight is set",
		"Each replaces its own end; the other stays that of the .smf." },
	{ "height-inverted", "warning", "maxHeight is below minHeight",
		"The terrain is turned over. Some maps do it on purpose." },
	{ "height-flat", "info", "minHeight and maxHeight are equal", "The ground is flat." },
	{ "height-header-mismatch", "warning", "the heights differ from the .smf's",
		"The game takes those of mapinfo; older tools show those of the .smf." },
	{ "height-all-underwater", "warning", "all ground is below 0", "The map is one lake." },
	{ "height-range-large", "warning", "heights span more than 10000 elmos",
		"The steps between two heights grow with the range." },
	{ "height-clipped", "warning", "heights stick to an end of the range",
		"More than one percent of the heights is at an end: peaks or valleys were cut off flat." },
	{ "height-8bit", "warning", "heights have 256 levels or fewer",
		"The picture they came from had 8 bits: slopes become stairs." },
})

group("Start positions", {
	{ "startpos-none", "info", "there are no start positions",
		"Lobbies place players by boxes or not at all; older engines refuse fixed starts." },
	{ "startpos-missing-axis", "error", "x or z of a start position is missing",
		"The engine takes 0: the west or north edge." },
	{ "startpos-gap", "warning", "the numbering of teams has a gap",
		"The engine stops counting at the first team without a start position." },
	{ "startpos-from-one", "warning", "teams count from 1",
		"The first team is [0]: the engine finds no start position at all." },
	{ "teams-string-keys", "error", "teams have text as keys",
		"['0'] is not [0]: the engine finds no start position." },
	{ "startpos-outside", "error", "a start position is outside the map",
		"It is moved to the edge." },
	{ "startpos-underwater", "warning", "a start position is under water",
		"The ground there is below 0." },
	{ "startpos-too-close", "warning", "two start positions are close together",
		"They are the same, or closer than two extractor radii." },
	{ "startpos-steep", "warning", "a start position is on a slope",
		"The ground rises by more than a commander's base can stand on." },
	{ "startpos-no-metal", "warning", "no metal near a start position",
		"No cell of the metal map within 700 elmos has metal.", profile = "bar" },
})

group("Terrain types", {
	{ "terraintype-undeclared", "warning", "the type map uses a type that is not declared",
		"It takes the defaults: hardness 1, all speeds 1." },
	{ "terraintype-unused", "info", "a declared terrain type is not used", "No cell has it." },
	{ "terraintype-index-range", "warning", "a terrain type outside 0..255",
		"A cell is one byte: nothing can use it." },
	{ "terraintypes-string-keys", "error", "terrain types have text as keys",
		"['0'] is not [0]: the type silently takes the defaults." },
	{ "terraintypes-from-one", "error", "terrain types count from 1",
		"The first type is [0]: every type is the next one's." },
})

group("Light, fog, water", {
	{ "sundir-w-legacy", "warning", "the fourth number of sunDir is an old distance",
		"It is the sun's intensity now; 1e9 was its distance.", fix = true },
	{ "sundir-horizontal-or-below", "warning", "the sun is at or below the horizon",
		"The second number of sunDir points up and must be above 0." },
	{ "fog-range", "warning", "fogStart and fogEnd make no range",
		"They are shares of the view range: start below end, neither above 1. Old files have"
		.. " distances." },
	{ "water-plane-accident", "warning", "planeColor turns on a plane of water",
		"The key alone does it: with voidWater, or where no ground is below 0, it is hardly meant." },
	{ "water-damage-pathing", "warning", "water damage of 1000 or more",
		"From 1000 and 10000 on land units no longer find ways through water." },
	{ "water-fresnel-saturates", "warning", "fresnelMin and fresnelMax add up to more than 1",
		"fresnelMax is added to fresnelMin: the reflection is full before the view is flat." },
})

group("Pictures", {
	{ "resource-missing", "error", "a file is not there",
		"The engine looks for the path as it stands, then below maps/; then it takes a plain picture." },
	{ "skybox-missing", "error", "the sky box is not in maps/",
		"It is looked for below maps/ only; without it the sky is empty." },
	{ "resource-case", "warning", "a file is spelt in another case",
		"The engine finds it; other tools may not.", fix = true },
	{ "splat-incomplete", "warning", "splatting lacks one of its two textures",
		"splatDetailTex and splatDistrTex are needed together, for normal textures too: else nothing of"
		.. " it is drawn." },
	{ "dnts-gap", "warning", "numbered normal textures have a gap",
		"The engine stops at the first number that is missing." },
	{ "dnts-too-many", "warning", "more than four normal textures", "Only four are loaded." },
	{ "dnts-mixed-forms", "warning", "normal textures in both forms",
		"The table wins; the numbered keys do nothing." },
	{ "needs-specular", "warning", "a texture that needs specularTex",
		"Without specularTex the engine never loads it." },
	{ "parallax-size", "warning", "parallaxHeightTex and specularTex differ in size",
		"They must be of one size." },
	{ "texture-not-power-of-two", "warning", "a side that is no power of two",
		"Tiled textures and mip levels want powers of two." },
	{ "texture-aspect", "warning", "a map-wide texture of another shape than the map",
		"It is stretched over the whole map." },
	{ "texture-too-large", "warning", "a texture above 16384", "Many graphics cards refuse it." },
	{ "texture-unreadable", "error", "a picture that cannot be read",
		"Its header is broken, or it is of a kind that is not known." },
	{ "dds-orientation", "warning", "a .dds beside others that are no .dds",
		"The engine turns .dds pictures over when it loads them, others not: map-wide .dds must be"
		.. " stored bottom row first." },
	{ "jpg-normal-map", "warning", "normals in a .jpg", "Its compression makes normals wobble." },
	{ "smt-override-count", "warning", "smtFileName keys differ in number from the tile files",
		"The engine then ignores all of them." },
	{ "smt-override-missing", "error", "a file named by smtFileName is not there",
		"All its tiles are red." },
	{ "override-map-size", "error", "a map picture of the wrong size",
		"The engine says so in its log and takes the .smf's own map." },
})

group(".smf and .smt", {
	{ "smf-missing", "error", "there is no .smf", "The archive is no map." },
	{ "smf-header", "error", "the header is not that of a .smf",
		"The engine refuses the map (\"corrupt header\") and crashes while it cleans up." },
	{ "smf-size-not-128", "error", "a side is no multiple of 128",
		"The rest of the last block has no ground and no texture; some sizes crash." },
	{ "smf-size-crash", "error", "a size at which the engine crashes",
		"A side below 128, or one of exactly 128 with the other of 384 or more." },
	{ "smf-pointer-range", "error", "a block lies outside the file",
		"The engine reads whatever is in memory: no two players have the same map." },
	{ "smf-block-overlap", "error", "two blocks share bytes", "One of them is not what was meant." },
	{ "smf-height-range", "error", "minHeight or maxHeight in the header makes no range",
		"Not a number: every height becomes none. Equal or turned over: flat, or upside down." },
	{ "smf-tile-index-range", "error", "a tile index past the last tile",
		"The engine reads past its buffer: garbage, or a crash." },
	{ "smf-tile-count-sum", "error", "the tile files' counts do not add up to numTiles",
		"More than numTiles: the engine writes past its buffer and crashes. Fewer: tiles without a"
		.. " picture." },
	{ "smf-tile-name", "error", "the name of a tile file is empty or too long",
		"The engine takes at most 254 bytes." },
	{ "smt-missing", "error", "a tile file is not there", "All its tiles are red." },
	{ "smt-case", "warning", "a tile file is spelt in another case or with its folder",
		"The engine finds it; other tools may not." },
	{ "smt-header", "error", "the header is not that of a .smt", "The engine refuses the map." },
	{ "smt-short", "warning", "a tile file has fewer tiles than the .smf takes from it",
		"The rest of the tiles are black." },
	{ "smt-count", "warning", "the number in a tile file's header is wrong",
		"The engine goes by the .smf's count; other tools by this one." },
	{ "smt-trailing", "warning", "bytes behind the last tile", "Nobody reads them." },
	{ "tile-alpha", "warning", "tiles with see-through texels",
		"They are holes with voidGround and black without: save the texture without alpha." },
	{ "tile-unused", "info", "tiles that no cell uses", "They only take space." },
	{ "name-directory", "warning", "the name of a tile file carries a folder",
		"It is looked for beside the .smf first." },
	{ "smf-feature-name-length", "error", "the name of a feature type is longer than 30 bytes",
		"All later names and features are read shifted, or the engine crashes." },
	{ "smf-feature-types", "error", "more than 16384 feature types", "The engine refuses the map." },
	{ "smf-feature-index", "error", "a feature of a type that does not exist", "It is left out." },
	{ "smf-feature-number", "error", "a feature whose position is no number", "It stands anywhere." },
	{ "feature-outside", "warning", "a feature outside the map", "It is moved to the edge." },
	{ "feature-heading", "warning", "a feature's rotation is outside -32768..32767",
		"What the engine makes of it is undefined." },
	{ "feature-rotation-degrees", "warning", "rotations look like degrees",
		"A full turn is 65536: 90 is half a degree." },
	{ "feature-unknown", "warning", "a feature type that the map does not define",
		"Unless the game defines it, it is left out with a line in the log." },
	{ "feature-name-builtin", "warning", "a name that holds \"treetype\" or \"geovent\"",
		"The engine takes it for its own tree or vent." },
	{ "feature-count", "error", "more than 32000 features",
		"The rest is left out; far more and the game never starts." },
	{ "extra-header-size", "error", "an extra header of a senseless size",
		"Lobbies crash on it, or read the grass from elsewhere." },
	{ "extra-header-count", "error", "the number of extra headers is wrong", "Lobbies crash on it." },
	{ "extra-header-twice", "warning", "two grass headers", "The last one counts." },
	{ "grass-255", "warning", "grass of 255", "255 means that there is no grass map at all." },
	{ "grass-binary", "info", "grass is 0 or 1 only", "BAR then takes random sizes." },
	{ "minimap-blank", "warning", "the minimap is of one colour", "Lobbies show it." },
	{ "minimap-stretched-alpha", "warning", "the minimap has see-through texels",
		"The game shows holes in it." },
})

group("Archive", {
	{ "archive-case-collision", "error", "two names that differ in case only",
		"They are one file to the engine: the first one counts." },
	{ "archive-nested", "error", "the files are inside a further folder",
		"mapinfo.lua and maps/ must be at the root of the archive." },
	{ "archive-backslash", "error", "names with backslashes",
		"The engine does not take them for folders and finds no file." },
	{ "archive-unsafe-name", "error", "a name that leaves the folder",
		"No careful tool unpacks it." },
	{ "archive-solid", "warning", "the .sd7 is solid",
		"BAR's checks refuse it: pack with -ms=off, or with mapwright pack.", profile = "bar" },
	{ "archive-format", "warning", "an entry is packed in a way the engine cannot read",
		"It reads store and deflate in .sdz, Copy, LZMA and LZMA2 in .sd7: other entries are not"
		.. " there." },
	{ "archive-container", "error", "the name and the kind of the archive differ",
		"The engine goes by the name and cannot open it." },
	{ "archive-junk", "warning", "files that no player needs",
		"Sources, drafts and folders of tools make every download longer." },
	{ "archive-filename-space", "warning", "a blank in the archive's name",
		"BAR's servers take names without blanks that end in .sd7 or .sdz.", profile = "bar" },
	{ "archive-sdz-bar", "warning", "a .sdz",
		"BAR's pipeline unpacks only maps/ of it and loses mapinfo.lua: use .sd7.", profile = "bar" },
	{ "bar-map-too-big", "warning", "a side above 32 map units",
		"BAR takes maps up to 32 units (2048 squares) a side.", profile = "bar" },
	{ "startboxes-empty", "warning", "an empty mapconfig/map_startboxes.lua",
		"Readers of it fail: leave it out." },
	{ "mapoptions-broken", "warning", "mapoptions.lua fails",
		"Lobbies show no option." },
	{ "lua-broken", "error", "a Lua file of the map is not Lua 5.1",
		"The engine says so in its log and goes on without it." },
})

--- The row of an id, or nil.
function M.find(id) return by_id[id] end

--- Ids, for suggestions.
function M.ids()
	local out = {}
	for _, r in ipairs(M) do out[#out + 1] = r.id end
	return out
end

return M
