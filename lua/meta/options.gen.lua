---@meta
-- Made by scripts/gen_options.lua from lua/mapwright/schema: do not edit.
error "for editors only"

---@class mapwright.options.bar.target
---@field out string The file to make: .sd7, .sdz or .sdd; its base name names the files inside. [required]
---@field terrain mapwright.terrain What mw.terrain made. [required]
---@field info table The keys of mapinfo.lua in the engine's spelling; name, maxMetal and extractorRadius at least. [required]
---@field starts? {x: number, z: number}[] Start positions in team order; land:start adds to them.
---@field map_name? string Base name of the .smf and .smt inside; the base name of `out` when absent.
---@field smt_split? integer Most tiles in one tile file; further ones are made. [tile, 1..1048576]
---@field minimap? string A picture for the minimap instead of the ground.
---@field builtin_types? boolean List all 17 built-in feature types as old tools do. [default false]
---@field feature_placer? boolean Place features by mapconfig/featureplacer/set.lua instead of the .smf. [default false]
---@field files? table Further files: {["path/in/map"] = "project/path"}; a folder takes all below it.
---@field texts? table Further files made by the script: {["path/in/map"] = "contents"}.
---@field quality? "fast"|"normal"|"best" DXT1 level of the ground; --fast and --release change what is taken without it.
---@field strict? boolean Turn losses and warnings into errors. [default false]

---@class mapwright.options.image.from_field
---@field min? number Value that becomes 0; the least of the field when absent.
---@field max? number Value that becomes the greatest number; the greatest of the field when absent.
---@field bits? integer 8 or 16. [8..16, default 16]
---@field ramp? any[] Colours instead of grey: {{value, color}, ...} with rising values.

---@class mapwright.options.image.new
---@field w integer Width. [px, 1..32768, required]
---@field h integer Height. [px, 1..32768, required]
---@field color? string|number[] Colour of all pixels; black when absent.
---@field bits? integer 8 or 16: a grey image whose pixels are whole numbers up to 255 or 65535. [8..16]
---@field value? integer Value of all pixels of a grey image. [0..65535]

---@class mapwright.options.image.raw
---@field w? integer Width; a square is assumed when neither side is given. [px, 1..32768]
---@field h? integer Height. [px, 1..32768]
---@field big_endian? boolean Whether the high byte of each sample comes first. [default false]

---@class mapwright.options.image.resize
---@field w integer New width. [px, 1..32768, required]
---@field h integer New height. [px, 1..32768, required]
---@field filter? "smooth"|"nearest" smooth: area average when shrinking, bilinear when growing. [default smooth]

---@class mapwright.options.image.save
---@field level? integer How hard to pack: 1 quick, 12 small. [0..12, default 6]

---@class mapwright.options.image.tileable
---@field border? number Share of each side that is blended so that opposite edges fit. [0.01..0.5, default 0.25]

---@class mapwright.options.image.to_field
---@field min? number Value of a black pixel. [default 0]
---@field max? number Value of a white pixel. [default 1]
---@field channel? "red"|"green"|"blue"|"alpha"|"brightness" What to read of a colour image. [default brightness]

---@class mapwright.options.terrain.feature
---@field x number East of the west edge. [elmo, required]
---@field z number South of the north edge. [elmo, required]
---@field mirror? "x"|"z"|"point"|"quad"|{n: integer} Place the symmetric partners too.
---@field name string Feature name: at most 30 bytes; one of the map's, the game's or the engine's. [required]
---@field heading? number Engine heading: 65536 a turn, 0 south, 16384 east. [-1000000..1000000]
---@field compass? number Compass bearing: 0 north, 90 east. [degree, -3600..3600]
---@field facing? "south"|"east"|"north"|"west" The same in words.

---@class mapwright.options.terrain.grass
---@field picture? string Grey picture of one pixel a cell, taken byte for byte.
---@field density? number|mapwright.source|mapwright.field How large clumps grow, 0 (none) to 1, graded to the bytes 2..254; cells of 32 elmos. [0..1]
---@field where? mapwright.source|mapwright.field Only where this is above 0.5.
---@field slope_below? number Only on ground less steep than this. [degree, 0..90]
---@field slope_above? number Only on ground steeper than this. [degree, 0..90]
---@field above? number Only on ground higher than this. [elmo]
---@field below? number Only on ground lower than this. [elmo]
---@field combine? "replace"|"add"|"max" How the value joins what is there. [default replace]
---@field resize? boolean Let a picture of another size be scaled to the map. [default false]
---@field bytes? number|mapwright.source|mapwright.field Grass bytes as they are stored, instead of density. [0..254]

---@class mapwright.options.terrain.heights
---@field picture string Grey picture (PNG 8 or 16 bit, TGA, BMP) or raw 16-bit samples (.r16, .raw), one a vertex. [required]
---@field low? number Height of black; the terrain's min_height when absent. [elmo]
---@field high? number Height of white (65536); the terrain's max_height when absent. [elmo]
---@field resize? boolean Let a picture of another size be scaled to the map. [default false]
---@field big_endian? boolean Raw samples have their high byte first. [default false]

---@class mapwright.options.terrain.metal
---@field picture? string Grey picture of one pixel a cell, taken byte for byte.
---@field bytes? number|mapwright.source|mapwright.field Metal byte of each cell of 16 elmos, 0..255; maxMetal scales it. [0..255]
---@field where? mapwright.source|mapwright.field Only where this is above 0.5.
---@field slope_below? number Only on ground less steep than this. [degree, 0..90]
---@field slope_above? number Only on ground steeper than this. [degree, 0..90]
---@field above? number Only on ground higher than this. [elmo]
---@field below? number Only on ground lower than this. [elmo]
---@field combine? "replace"|"add"|"max" How the value joins what is there. [default replace]
---@field resize? boolean Let a picture of another size be scaled to the map. [default false]

---@class mapwright.options.terrain.metal_spot
---@field x number East of the west edge. [elmo, required]
---@field z number South of the north edge. [elmo, required]
---@field mirror? "x"|"z"|"point"|"quad"|{n: integer} Place the symmetric partners too.
---@field metal number What an extractor with extractsMetal 0.001 gives there. [metal/second, 0.001..1000, required]
---@field radius? number How far the dome of metal reaches. [elmo, 8..1024, default 48]
---@field snap? boolean Move the spot to the grid of 16 elmos that extractors snap to. [default true]

---@class mapwright.options.terrain.scatter
---@field density? number|mapwright.source|mapwright.field How likely a place is, 0..1. [default 1]
---@field spacing number No two positions are nearer than this. [elmo, 1..100000, required]
---@field count? integer At most so many positions, partners included. [1..1000000]
---@field avoid? table What to keep away from.
---@field mirror? "x"|"z"|"point"|"quad"|{n: integer} Make the set symmetric.
---@field snap? number Move positions to a grid of this width. [elmo, 1..1024]
---@field seed? integer Another draw; the terrain's seed when absent.

---@class mapwright.options.terrain.start
---@field x number East of the west edge. [elmo, required]
---@field z number South of the north edge. [elmo, required]
---@field mirror? "x"|"z"|"point"|"quad"|{n: integer} Place the symmetric partners too.

---@class mapwright.options.terrain.terrain
---@field map_units? number[] Size {width, depth} in map units of 512 elmos; even numbers. [map unit]
---@field squares? number[] The same in squares of 8 elmos; multiples of 128. [square]
---@field elmos? number[] The same in elmos; multiples of 1024. [elmo]
---@field min_height number The lowest height that the map can hold; below 0 is water. [elmo, -1000000..1000000, required]
---@field max_height number The highest height that the map can hold. [elmo, -1000000..1000000, required]
---@field seed? integer What every procedural call without a seed of its own starts from. [default 0]
---@field force_size? boolean Build sizes that the engine is known to crash on or draw only in part. [default false]

---@class mapwright.options.terrain.types
---@field picture? string Grey picture of one pixel a cell, taken byte for byte.
---@field type? integer|mapwright.source|mapwright.field Index into info.terrainTypes of each cell of 16 elmos; sources are rounded to one. [0..255]
---@field where? mapwright.source|mapwright.field Only where this is above 0.5.
---@field slope_below? number Only on ground less steep than this. [degree, 0..90]
---@field slope_above? number Only on ground steeper than this. [degree, 0..90]
---@field above? number Only on ground higher than this. [elmo]
---@field below? number Only on ground lower than this. [elmo]
---@field combine? "replace"|"add"|"max" How the value joins what is there. [default replace]
---@field resize? boolean Let a picture of another size be scaled to the map. [default false]

---@class mapwright.options.terrain.vent
---@field x number East of the west edge. [elmo, required]
---@field z number South of the north edge. [elmo, required]
---@field mirror? "x"|"z"|"point"|"quad"|{n: integer} Place the symmetric partners too.
---@field heading? number Engine heading: 65536 a turn, 0 south, 16384 east. [-1000000..1000000]
---@field compass? number Compass bearing: 0 north, 90 east. [degree, -3600..3600]
---@field facing? "south"|"east"|"north"|"west" The same in words.
