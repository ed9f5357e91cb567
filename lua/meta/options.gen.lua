---@meta
-- Made by scripts/gen_options.lua from lua/mapwright/schema: do not edit.
error "for editors only"

---@class mapwright.options.bar.target
---@field out string The file to make: .sd7, .sdz or .sdd; its base name names the files inside. [required]
---@field terrain mapwright.terrain What mw.terrain made. [required]
---@field info mapwright.mapinfo Keys of mapinfo.lua in the engine's spelling: at least name, maxMetal, extractorRadius. [required]
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

---@class mapwright.options.brush.arch
---@field min number[] Lowest corner {x, y, z}. [scene unit, required]
---@field max number[] Highest corner {x, y, z}. [scene unit, required]
---@field thickness number Of the bar, along the radius. [scene unit, 1e-06..1000000, required]
---@field start? number Where it begins: 0 east, 90 up. [degree, -360..360, default 0]
---@field sweep? number How far it goes round; 180 is a door head. [degree, 0.001..360, default 180]
---@field segments? integer Brushes that make it. [1..1024, default 12]
---@field contents? "solid"|"water"|"clip"|"trigger"|"sky"|"none" What the brush is filled with. [default solid]
---@field material? mapwright.material Of all its faces.

---@class mapwright.options.brush.box
---@field min number[] Lowest corner {x, y, z}. [scene unit, required]
---@field max number[] Highest corner {x, y, z}. [scene unit, required]
---@field contents? "solid"|"water"|"clip"|"trigger"|"sky"|"none" What the brush is filled with. [default solid]
---@field material? mapwright.material Of all its faces.

---@class mapwright.options.brush.brush
---@field planes (any[])[] {nx, ny, nz, d} each: the solid is where n . p < d for all. [required]
---@field contents? "solid"|"water"|"clip"|"trigger"|"sky"|"none" What the brush is filled with. [default solid]
---@field material? mapwright.material Of all its faces.

---@class mapwright.options.brush.bsp
---@field brushes mapwright.brushes What the tree is over. [required]
---@field leaf_size? integer Cells of so few brushes are not split. [1..64, default 4]
---@field max_depth? integer Most nodes on a path. [1..64, default 40]

---@class mapwright.options.brush.clip
---@field normal number[] Of the cutting plane. [required]
---@field distance number normal . p of its points. [scene unit, required]
---@field keep? "back"|"front"|"both" Which part stays. [default back]

---@class mapwright.options.brush.cone
---@field min? number[] Lowest corner of its box.
---@field max? number[] Highest corner of its box.
---@field at? number[] Middle of its base, instead of min and max.
---@field radius? number With at. [scene unit, 1e-06..1000000]
---@field height? number With at. [scene unit, 1e-06..1000000]
---@field sides? integer How many sides stand for the circle. [3..1024, default 16]
---@field contents? "solid"|"water"|"clip"|"trigger"|"sky"|"none" What the brush is filled with. [default solid]
---@field material? mapwright.material Of all its faces.

---@class mapwright.options.brush.cylinder
---@field min? number[] Lowest corner of its box.
---@field max? number[] Highest corner of its box.
---@field at? number[] Middle of its base, instead of min and max.
---@field radius? number With at. [scene unit, 1e-06..1000000]
---@field height? number With at. [scene unit, 1e-06..1000000]
---@field sides? integer How many sides stand for the circle. [3..1024, default 16]
---@field top? number Size of the upper end in parts of the lower. [0..1, default 1]
---@field contents? "solid"|"water"|"clip"|"trigger"|"sky"|"none" What the brush is filled with. [default solid]
---@field material? mapwright.material Of all its faces.

---@class mapwright.options.brush.hull
---@field points (number[])[] Points {x, y, z} to be held; at least four that lie in no plane. [required]
---@field flat? number Facets this near to one plane become one side. [scene unit, 0..1000000, default 0]
---@field contents? "solid"|"water"|"clip"|"trigger"|"sky"|"none" What the brush is filled with. [default solid]
---@field material? mapwright.material Of all its faces.

---@class mapwright.options.brush.prism
---@field points {x: number, z: number}[] Corners {x = , z = } seen from above, in either order; may be concave. [required]
---@field bottom number Lower end. [scene unit, required]
---@field top number Upper end. [scene unit, required]
---@field contents? "solid"|"water"|"clip"|"trigger"|"sky"|"none" What the brush is filled with. [default solid]
---@field material? mapwright.material Of all its faces.

---@class mapwright.options.brush.ray
---@field from number[] Start. [required]
---@field to number[] End. [required]
---@field mask? any[] Contents that stop it: a list of names.

---@class mapwright.options.brush.room
---@field min number[] Lowest corner {x, y, z}. [scene unit, required]
---@field max number[] Highest corner {x, y, z}. [scene unit, required]
---@field wall number Thickness of the walls, which lie outside min and max. [scene unit, 0.01..4096, required]
---@field contents? "solid"|"water"|"clip"|"trigger"|"sky"|"none" What the brush is filled with. [default solid]
---@field material? mapwright.material Of all its faces.

---@class mapwright.options.brush.sphere
---@field min? number[] Lowest corner of its box.
---@field max? number[] Highest corner of its box.
---@field at? number[] Its middle, instead of min and max.
---@field radius? number With at. [scene unit, 1e-06..1000000]
---@field sides? integer How many sides stand for the circle. [3..256, default 16]
---@field rings? integer Rings of faces from pole to pole. [2..128, default 8]
---@field contents? "solid"|"water"|"clip"|"trigger"|"sky"|"none" What the brush is filled with. [default solid]
---@field material? mapwright.material Of all its faces.

---@class mapwright.options.brush.stairs
---@field at number[] Corner at the foot, on the left hand of who walks up. [required]
---@field run number[] Where it goes: along x or z, {3, 0, 0}. [required]
---@field rise number How high it climbs. [scene unit, 1e-06..1000000, required]
---@field width number To the right hand of who walks up. [scene unit, 1e-06..1000000, required]
---@field steps integer How many. [1..1024, required]
---@field solid? boolean Each step reaches down to the floor; otherwise it is as thick as it is high. [default true]
---@field contents? "solid"|"water"|"clip"|"trigger"|"sky"|"none" What the brush is filled with. [default solid]
---@field material? mapwright.material Of all its faces.

---@class mapwright.options.brush.sweep
---@field from number[] Middle of the box at the start. [required]
---@field to number[] Middle of the box at the end. [required]
---@field half number[] Half sizes of the box. [required]
---@field mask? any[] Contents that stop it: a list of names.

---@class mapwright.options.brush.terrain_patch
---@field heights mapwright.field Heights, one a corner. [required]
---@field at? number[] Where its north-west corner lies; y is the base.
---@field cell number Distance of neighbouring samples. [scene unit, 1e-06..1000000, required]
---@field least? number Least height over the base. [scene unit, 1e-06..1000000, default 0.01]
---@field contents? "solid"|"water"|"clip"|"trigger"|"sky"|"none" What the brush is filled with. [default solid]
---@field material? mapwright.material Of all its faces.

---@class mapwright.options.brush.texture
---@field faces? "all"|"top"|"bottom"|"east"|"west"|"south"|"north"|"side"|"inner"|"seam" Which. [default all]
---@field offset? number[] In repeats.
---@field scale? number[] In parts of the material's tile.
---@field rotation? number About the normal. [degree, -3600..3600]

---@class mapwright.options.brush.torus
---@field at number[] Its middle. [required]
---@field radius number From its middle to the middle of the tube. [scene unit, 1e-06..1000000, required]
---@field tube number Radius of the tube. [scene unit, 1e-06..1000000, required]
---@field segments? integer Brushes that make it. [3..256, default 16]
---@field sides? integer How many sides stand for the circle. [3..256, default 8]
---@field contents? "solid"|"water"|"clip"|"trigger"|"sky"|"none" What the brush is filled with. [default solid]
---@field material? mapwright.material Of all its faces.

---@class mapwright.options.brush.turn
---@field yaw? number About Y, from north towards west. [degree, -3600..3600, default 0]
---@field pitch? number About X, up. [degree, -3600..3600, default 0]
---@field roll? number About Z. [degree, -3600..3600, default 0]
---@field about? number[] What stays where it is.
---@field lock? boolean Textures go along. [default true]

---@class mapwright.options.brush.wedge
---@field min number[] Lowest corner {x, y, z}. [scene unit, required]
---@field max number[] Highest corner {x, y, z}. [scene unit, required]
---@field high? "north"|"east"|"south"|"west" The side at which it is highest. [default north]
---@field contents? "solid"|"water"|"clip"|"trigger"|"sky"|"none" What the brush is filled with. [default solid]
---@field material? mapwright.material Of all its faces.

---@class mapwright.options.dxt1.decode
---@field bytes string The blocks, row by row. [required]
---@field w integer Width, a multiple of 4. [px, 4..32768, required]
---@field h integer Height, a multiple of 4. [px, 4..32768, required]

---@class mapwright.options.dxt1.encode
---@field image mapwright.image The picture; both sides multiples of 4. [required]
---@field level? "fast"|"normal"|"best" How long to search: best loses least and takes about eight times as long as normal. [default normal]

---@class mapwright.options.dxt1.error
---@field image mapwright.image The picture before encoding. [required]
---@field bytes string Its blocks. [required]

---@class mapwright.options.field.erode_droplets
---@field kind "thermal"|"hydraulic"|"droplets" Falling rock, running water or single drops. [required]
---@field count? integer How many drops; one for every two samples when left out. [0..10000000000]
---@field lifetime? integer Steps of a drop, each as long as samples are apart. [1..1000, default 48]
---@field radius? number How wide a drop digs; between 1 and 16 samples. [elmo, 0..1000000000, default 24]
---@field inertia? number 0 runs straight down, 1 straight on. [0..1, default 0.3]
---@field capacity? number How much ground a drop carries; more digs deeper. [0..1000, default 1]
---@field dissolve? number How quickly it takes ground up. [0..1, default 0.15]
---@field deposit? number How quickly it drops what is too much. [0..1, default 0.1]
---@field evaporation? number Share of its water a drop loses in a step. [0..1, default 0.03]
---@field gravity? number How much faster it gets downhill. [0..1000, default 1]
---@field seed? integer Another draw; taken from the field's seed when left out.
---@field where? mapwright.field|mapwright.source A mask: 0 keeps the ground as it is, 1 erodes it.

---@class mapwright.options.field.erode_hydraulic
---@field kind "thermal"|"hydraulic"|"droplets" Falling rock, running water or single drops. [required]
---@field iterations? integer How long it rains; water runs one sample an iteration at most. [0..1000000, default 250]
---@field rain? number Water that falls in an iteration. [elmo, 0..1000, default 0.02]
---@field variation? number How much the rain differs from place to place; 0 keeps symmetry. [0..1, default 0]
---@field evaporation? number Share of the water lost in an iteration. [0..1, default 0.02]
---@field capacity? number How much ground fast water carries; more digs deeper. [0..1000, default 2]
---@field dissolve? number How quickly it takes ground up. [0..1, default 0.1]
---@field deposit? number How quickly it drops what is too much. [0..1, default 0.2]
---@field friction? number Share of its motion water loses in an iteration. [0..1, default 0.05]
---@field seed? integer Another draw; taken from the field's seed when left out.
---@field where? mapwright.field|mapwright.source A mask: 0 keeps the ground as it is, 1 erodes it.

---@class mapwright.options.field.erode_thermal
---@field kind "thermal"|"hydraulic"|"droplets" Falling rock, running water or single drops. [required]
---@field iterations? integer How often rock slides on. [0..1000000, default 50]
---@field angle? number The steepest slope that holds. [degree, 0..89, default 35]
---@field rate? number How much of what is too steep slides in an iteration. [0..1, default 1]
---@field where? mapwright.field|mapwright.source A mask: 0 keeps the ground as it is, 1 erodes it.

---@class mapwright.options.field.field
---@field w integer Samples from west to east. [1..32769, required]
---@field h integer Samples from north to south. [1..32769, required]
---@field step? number Distance of neighbouring samples. [elmo, 1e-06..1000000000, default 8]
---@field x? number Where the first column lies. [elmo, default 0]
---@field z? number Where the first row lies. [elmo, default 0]
---@field seed? integer For noise and erosion that have no seed of their own. [default 0]
---@field value? number|mapwright.field|mapwright.source|mapwright.image What the samples hold at first. [default 0]

---@class mapwright.options.field.flatten
---@field radius? number Of a disc; give this or width and depth. [elmo, 0..1000000000]
---@field width? number Of a rectangle, from west to east. [elmo, 0..1000000000]
---@field depth? number Of a rectangle, from north to south; as the width when left out. [elmo, 0..1000000000]
---@field level? number The height to reach; the mean of what is there when left out.
---@field soften? number Width of the soft edge outside the shape. [elmo, 0..1000000000, default 0]

---@class mapwright.options.field.histogram
---@field bins? integer How many. [1..65536, default 64]
---@field min? number Lower end; the smallest sample when left out.
---@field max? number Upper end; the largest sample when left out.

---@class mapwright.options.field.mirror
---@field soften? number How far to each side of the seam the two halves are blended. [elmo, 0..1000000000, default 0]

---@class mapwright.options.field.path
---@field width number From edge to edge. [elmo, 0..1000000000, required]
---@field level? number The height to reach at points that have no level; when left out, the field's own height there.
---@field soften? number Width of the soft edge outside the shape. [elmo, 0..1000000000, default 0]
---@field mode? "level"|"raise"|"lower"|"add" Bring the field to the level, only raise or lower it to there, or add the level. [default level]

---@class mapwright.options.field.polygon
---@field level number The height to reach. [required]
---@field soften? number Width of the soft edge outside the shape. [elmo, 0..1000000000, default 0]
---@field mode? "level"|"raise"|"lower"|"add" Bring the field to the level, only raise or lower it to there, or add the level. [default level]

---@class mapwright.options.field.quantize
---@field field mapwright.field What to turn into whole numbers. [required]
---@field min_height number Height of word 0. [elmo, required]
---@field max_height number Height of word 65536, which is one above the highest. [elmo, required]

---@class mapwright.options.field.ramp
---@field width number From edge to edge. [elmo, 0..1000000000, required]
---@field soften? number Width of the soft edge outside the shape. [elmo, 0..1000000000, default 0]
---@field mode? "level"|"raise"|"lower"|"add" Bring the field to the level, only raise or lower it to there, or add the level. [default level]

---@class mapwright.options.field.resample
---@field w integer Samples across. [1..32769, required]
---@field h integer Samples down. [1..32769, required]
---@field kind? "nearest"|"linear"|"cubic" How to read between samples; cubic may overshoot. [default linear]

---@class mapwright.options.field.stamp
---@field radius? number Of a disc; give this or width and depth. [elmo, 0..1000000000]
---@field width? number Of a rectangle, from west to east. [elmo, 0..1000000000]
---@field depth? number Of a rectangle, from north to south; as the width when left out. [elmo, 0..1000000000]
---@field level number The height to reach. [required]
---@field soften? number Width of the soft edge outside the shape. [elmo, 0..1000000000, default 0]
---@field mode? "level"|"raise"|"lower"|"add" Bring the field to the level, only raise or lower it to there, or add the level. [default level]

---@class mapwright.options.field.terrace
---@field step? number Height of each step. [1e-06..1000000000]
---@field offset? number Where one of the steps is. [default 0]
---@field levels? (number)[] The steps themselves, rising, instead of 'step'; at least two.
---@field soften? number How much of a step climbs smoothly to the next; 0 makes cliffs. [0..1, default 0]

---@class mapwright.options.ground.ground
---@field picture? string|mapwright.image A picture of the whole map beneath all layers, ideally 8 texels for each square.
---@field color? string|number[] The colour beneath all layers without a picture.
---@field grass? string|number[]|string|mapwright.image|table What covers everything else: a colour, a texture or the options of a layer.
---@field dirt? string|number[]|string|mapwright.image|table The same for slopes steeper than `dirt_slope`.
---@field sand? string|number[]|string|mapwright.image|table The same for ground lower than `sand_below`.
---@field rock? string|number[]|string|mapwright.image|table The same for slopes steeper than `rock_slope`.
---@field snow? string|number[]|string|mapwright.image|table The same for ground higher than `snow_above`.
---@field dirt_slope? number Where dirt begins. [degree, 0..90, default 22]
---@field rock_slope? number Where rock begins. [degree, 0..90, default 38]
---@field sand_below? number Where sand ends. [elmo, default 12]
---@field snow_above? number Where snow begins. [elmo]
---@field layers? (table)[] Layers from the lowest up; each an option table as in the list of layer options.
---@field scale? number Length of one repeat of textures that state none. [elmo, 1..65536, default 256]
---@field blend? number The `blend` of layers that state none. [0..1, default 0.35]
---@field rough? number The `rough` of layers that state none. [0..1, default 0.5]
---@field grain? number The `grain` of layers that state none. [0..1, default 0]
---@field shade? number Darken slopes that turn away from the sun and brighten those that face it; the engine lights the ground too. [0..1, default 0]
---@field sun? number[] Direction to the sun for `shade`: {east, up, south}.
---@field minimap_water? boolean|table Tint the minimap where the ground lies below 0; a table chooses the colours. [default true]
---@field share_tiles? boolean Equal tiles are stored once. [default true]

---@class mapwright.options.ground.layer
---@field texture? string|mapwright.image A picture that is repeated; a path or an image.
---@field color? string|number[] One colour, instead of a texture.
---@field scale? number Length of one repeat of the texture along x; the ground's `scale` when absent. [elmo, 1..65536]
---@field second_scale? number Mix in the texture at another scale, so that its repeats show less. [elmo, 1..65536]
---@field stretch? boolean Lay the texture once over the whole map instead of repeating it. [default false]
---@field mask? mapwright.source|mapwright.field|mapwright.image|number Where the layer shows: 0 not at all, 1 fully.
---@field slope_above? number Only on ground steeper than this. [degree, 0..90]
---@field slope_below? number Only on ground less steep than this. [degree, 0..90]
---@field above? number Only on ground higher than this. [elmo]
---@field below? number Only on ground lower than this. [elmo]
---@field soften? number Width of the edge, in degrees for slopes and elmos for heights; 8 and 20 when absent. [0..10000]
---@field rough? number How far noise moves such edges, as a share of their width. [0..1]
---@field grain? number Fine noise in the brightness, for colours that would look too smooth close up. [0..1]
---@field opacity? number Times the mask: 0.5 lets half of what lies beneath through. [0..1, default 1]
---@field blend? number How far bright texels of the texture win over dark ones at soft edges. [0..1]
---@field tint? string|number[]|mapwright.source|mapwright.field A colour to multiply by; or a source: -1 darkens, 1 brightens by `tint_strength`.
---@field tint_strength? number How much a tint that is a source changes the brightness. [0..1, default 0.15]
---@field tint_mask? mapwright.source|mapwright.field|mapwright.image Where a tint that is a colour shows, 0..1.

---@class mapwright.options.ground.water
---@field shallow? string|number[] Colour of water where it begins.
---@field deep? string|number[] Colour of deep water.
---@field least? number Share of the water's colour where it begins. [0..1, default 0.35]
---@field most? number Share of the water's colour where it is deep. [0..1, default 0.92]
---@field depth? number Depth half-way between the two. [elmo, 0.1..100000, default 40]

---@class mapwright.options.hmap.convert
---@field content? "source"|"compiled"|"both" What the file holds: what an editor needs, what a game needs, or both. [default both]
---@field bake_light? boolean Light the vertices, with shadows. [default false]
---@field light_grid? number Faces are cut along a grid of this width for that; 0: 4 metres, -1: not at all. [scene unit, -1..1000000, default 0]
---@field bevels? "none"|"axial"|"edge" Extra planes that make box sweeps against slanted brushes right. [default axial]
---@field keep_hidden? boolean Keep faces that other brushes hide. [default false]
---@field skip_sky? boolean Leave faces of sky brushes out of the batches. [default false]
---@field leaf_size? integer Cells of the tree with so few brushes are not split. [1..64, default 4]
---@field max_depth? integer Most nodes on a path through the tree. [1..64, default 40]

---@class mapwright.options.hmap.target
---@field out string The file to make. [required]
---@field scene mapwright.scene What mw.scene made. [required]
---@field content? "source"|"compiled"|"both" What the file holds: what an editor needs, what a game needs, or both. [default both]
---@field bake_light? boolean Light the vertices, with shadows. [default false]
---@field light_grid? number Faces are cut along a grid of this width for that; 0: 4 metres, -1: not at all. [scene unit, -1..1000000, default 0]
---@field bevels? "none"|"axial"|"edge" Extra planes that make box sweeps against slanted brushes right. [default axial]
---@field keep_hidden? boolean Keep faces that other brushes hide. [default false]
---@field skip_sky? boolean Leave faces of sky brushes out of the batches. [default false]
---@field leaf_size? integer Cells of the tree with so few brushes are not split. [1..64, default 4]
---@field max_depth? integer Most nodes on a path through the tree. [1..64, default 40]
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

---@class mapwright.options.quake_map.convert
---@field dialect? string How faces are written: classic, valve220, quake2, quake3_valve, ... [default valve220]
---@field units_per_metre? number Map units to a metre; when absent the scene's where it has more than 1, else 32. [map unit, 1e-06..1000000]
---@field axes? "quake"|"godot" Z up as every Quake tool wants, or Y up as levels of Godot have it. [default quake]
---@field decimals? integer Most decimals of points and offsets; as many as read back the same when absent. [0..15]
---@field quote_textures? boolean Put names with blanks in quotes; false: an underscore for the blanks. [default true]
---@field comments? boolean Write the header that editors look for, and numbers of entities and brushes. [default true]
---@field textures? string Folder of pictures, which say how large each texture is; one without a picture counts as 64 x 64.

---@class mapwright.options.quake_map.read
---@field source_units_per_metre? number Map units to a metre of a file that doesn't say; 32 when absent. [map unit, 1e-06..1000000]
---@field source_axes? "file"|"quake"|"godot" Which way is up, when the file's own word is not to be taken. [default file]
---@field scene_units_per_metre? number Scene units to a metre; those of the file when absent. [scene unit, 1e-06..1000000]
---@field patch_steps? integer Pieces along a curve of three control points. [1..64, default 4]
---@field textures? string Folder of pictures, which say how large each texture is; one without a picture counts as 64 x 64.

---@class mapwright.options.quake_map.target
---@field out string The file to make. [required]
---@field scene mapwright.scene What mw.scene made. [required]
---@field dialect? string How faces are written: classic, valve220, quake2, quake3_valve, ... [default valve220]
---@field units_per_metre? number Map units to a metre; when absent the scene's where it has more than 1, else 32. [map unit, 1e-06..1000000]
---@field axes? "quake"|"godot" Z up as every Quake tool wants, or Y up as levels of Godot have it. [default quake]
---@field decimals? integer Most decimals of points and offsets; as many as read back the same when absent. [0..15]
---@field quote_textures? boolean Put names with blanks in quotes; false: an underscore for the blanks. [default true]
---@field comments? boolean Write the header that editors look for, and numbers of entities and brushes. [default true]
---@field textures? string Folder of pictures, which say how large each texture is; one without a picture counts as 64 x 64.
---@field strict? boolean Turn losses and warnings into errors. [default false]

---@class mapwright.options.scene.add
---@field group? string Name of a group they belong to.
---@field detail? boolean Detail brushes of the Quake family. [default false]

---@class mapwright.options.scene.entity
---@field classname string What it is. [required]
---@field at? number[] Where it stands.
---@field yaw? number Where it looks: 0 north, 90 west. [degree, -3600..3600, default 0]
---@field pitch? number Up. [degree, -3600..3600, default 0]
---@field roll? number To its side. [degree, -3600..3600, default 0]
---@field scale? number[] Its size.
---@field keys? table Keys in the engine's spelling; a list of {key, value} keeps order and repeats.
---@field wires? (table)[] {output, target, input, parameter, delay, once} each.
---@field brushes? mapwright.brushes|any[] Brushes that it is made of.
---@field meshes? mapwright.mesh|any[] Meshes that it is made of.
---@field group? string Name of a group it belongs to.

---@class mapwright.options.scene.light
---@field kind? "point"|"spot"|"sun" Its form. [default point]
---@field at? number[] Where it stands.
---@field yaw? number Where it looks: 0 north, 90 west. [degree, -3600..3600, default 0]
---@field pitch? number Up. [degree, -3600..3600, default 0]
---@field color? string|number[] White when absent.
---@field intensity? number 1 lights a near surface fully. [0..1000000, default 1]
---@field radius? number Where it ends; 10 metres when absent. [scene unit, 1e-06..1000000]
---@field outer? number Half of a spot's cone. [degree, 0..180]
---@field inner? number Half of its bright core. [degree, 0..180]
---@field keys? table Keys in the engine's spelling; a list of {key, value} keeps order and repeats.
---@field group? string Name of a group it belongs to.

---@class mapwright.options.scene.material
---@field name string Unique in the scene. [required]
---@field texture? string File or name of the texture. [default ]
---@field tile? number[] Size of one repeat in scene units {across, down}.
---@field color? string|number[] Tint.
---@field pixels? number[] Size of the texture, where a format measures in pixels; {0, 0}: 64 x 64.

---@class mapwright.options.scene.mesh
---@field name? string Its name. [default ]
---@field vertices (number[])[] {x, y, z} each. [required]
---@field faces (table)[] Convex polygons: lists of vertex numbers, counter-clockwise from the front, with material, smooth, uv = {{u, v}, ...}. [required]
---@field material? mapwright.material Of faces that name none.
---@field collides? boolean Whether things run into it. [default true]

---@class mapwright.options.scene.player_start
---@field at? number[] Where it stands.
---@field yaw? number Where it looks: 0 north, 90 west. [degree, -3600..3600, default 0]
---@field keys? table Keys in the engine's spelling; a list of {key, value} keeps order and repeats.
---@field group? string Name of a group it belongs to.
---@field kind? "single"|"coop"|"deathmatch" Who starts there. [default single]

---@class mapwright.options.scene.scene
---@field name? string The level's name. [default ]
---@field units_per_metre? number Scene units in a metre. [scene unit, 0.001..100000, default 1]
---@field grid? number Grid of the editor that opens it. [scene unit, 1e-06..1000000, default 1]
---@field ambient? string|number[] Light that is everywhere.

---@class mapwright.options.scene.wire
---@field output string What sends. [required]
---@field target string The targetname that receives. [required]
---@field input string What it is told. [required]
---@field parameter? string With what. [default ]
---@field delay? number After how long. [second, 0..1000000, default 0]
---@field once? boolean Only the first time. [default false]

---@class mapwright.options.source.billow
---@field period number Size of the largest features. [elmo, 0.001..1000000000, required]
---@field octaves? integer Layers of ever finer detail. [1..16, default 1]
---@field amplitude? number The largest value; all octaves together never exceed it. [-1000000000..1000000000, default 1]
---@field gain? number Weight of an octave over the one before. [0..1, default 0.5]
---@field lacunarity? number Frequency of an octave over the one before. [1..16, default 2]
---@field seed? integer Left out: made of the terrain's seed and the kind and name of the noise.
---@field name? string Tells apart noises of one kind that have no seed of their own.
---@field basis? "gradient"|"value" The noise that is folded. [default gradient]

---@class mapwright.options.source.cellular
---@field period number Size of the largest features. [elmo, 0.001..1000000000, required]
---@field octaves? integer Layers of ever finer detail. [1..16, default 1]
---@field amplitude? number The largest value; all octaves together never exceed it. [-1000000000..1000000000, default 1]
---@field gain? number Weight of an octave over the one before. [0..1, default 0.5]
---@field lacunarity? number Frequency of an octave over the one before. [1..16, default 2]
---@field seed? integer Left out: made of the terrain's seed and the kind and name of the noise.
---@field name? string Tells apart noises of one kind that have no seed of their own.
---@field distance? "f1"|"f2"|"f2-f1"|"cell" To the nearest point, to the second, their difference (0 on the borders of cells), or a random number -1..1 for each cell. [default f1]
---@field jitter? number How far the points stray from a square grid. [0..1, default 1]

---@class mapwright.options.source.curve
---@field smooth? boolean A smooth curve that never overshoots its points, instead of straight lines. [default false]

---@class mapwright.options.source.distance
---@field points? {x: number, z: number}[] Distance to the nearest of these.
---@field line? {x: number, z: number}[] Distance to the line through these.
---@field polygon? {x: number, z: number}[] Distance to the edge of this area, negative inside.

---@class mapwright.options.source.field
---@field filter? "nearest"|"bilinear" The nearest pixel, or straight between four. [default bilinear]
---@field edge? "clamp"|"wrap" Outside: the pixels of the edge, or the picture again. [default clamp]

---@class mapwright.options.source.gradient
---@field period number Size of the largest features. [elmo, 0.001..1000000000, required]
---@field octaves? integer Layers of ever finer detail. [1..16, default 1]
---@field amplitude? number The largest value; all octaves together never exceed it. [-1000000000..1000000000, default 1]
---@field gain? number Weight of an octave over the one before. [0..1, default 0.5]
---@field lacunarity? number Frequency of an octave over the one before. [1..16, default 2]
---@field seed? integer Left out: made of the terrain's seed and the kind and name of the noise.
---@field name? string Tells apart noises of one kind that have no seed of their own.

---@class mapwright.options.source.gradient_along
---@field from {x: number, z: number} Where the value is 0, and beyond. [required]
---@field to {x: number, z: number} Where the value is 1, and beyond. [required]

---@class mapwright.options.source.image
---@field image mapwright.image|string An image, or a picture file. [required]
---@field min? {x: number, z: number} North-west corner; left out with max: the whole map.
---@field max? {x: number, z: number} South-east corner.
---@field channel? "grey"|"red"|"green"|"blue"|"alpha" What is read as 0..1; grey is the brightness of a coloured picture. [default grey]
---@field filter? "nearest"|"bilinear" The nearest pixel, or straight between four. [default bilinear]
---@field edge? "clamp"|"wrap" Outside: the pixels of the edge, or the picture again. [default clamp]

---@class mapwright.options.source.mirror
---@field at? {x: number, z: number} The centre; the middle of the map when left out.
---@field soften? number How far to each side of the seam the parts are blended. [elmo, 0..1000000000, default 0]

---@class mapwright.options.source.radial
---@field at {x: number, z: number} The centre, where the value is 0. [required]
---@field radius number Where the value is 1, and beyond. [elmo, 0.001..1000000000, required]

---@class mapwright.options.source.ridged
---@field period number Size of the largest features. [elmo, 0.001..1000000000, required]
---@field octaves? integer Layers of ever finer detail. [1..16, default 1]
---@field amplitude? number The largest value; all octaves together never exceed it. [-1000000000..1000000000, default 1]
---@field gain? number Weight of an octave over the one before. [0..1, default 0.5]
---@field lacunarity? number Frequency of an octave over the one before. [1..16, default 2]
---@field seed? integer Left out: made of the terrain's seed and the kind and name of the noise.
---@field name? string Tells apart noises of one kind that have no seed of their own.
---@field basis? "gradient"|"value" The noise that is folded. [default gradient]
---@field feedback? number How much finer detail keeps to the ridges; 0 leaves one octave. [0..16, default 2]

---@class mapwright.options.source.rotate
---@field at? {x: number, z: number} The centre; (0, 0) when left out.

---@class mapwright.options.source.terrace
---@field step? number Height of each step. [1e-06..1000000000]
---@field offset? number Where one of the steps is. [default 0]
---@field levels? (number)[] The steps themselves, rising, instead of 'step'; at least two.
---@field soften? number The share of a step that climbs smoothly to the next; 0 makes cliffs. [0..1, default 0.3]

---@class mapwright.options.source.value
---@field period number Size of the largest features. [elmo, 0.001..1000000000, required]
---@field octaves? integer Layers of ever finer detail. [1..16, default 1]
---@field amplitude? number The largest value; all octaves together never exceed it. [-1000000000..1000000000, default 1]
---@field gain? number Weight of an octave over the one before. [0..1, default 0.5]
---@field lacunarity? number Frequency of an octave over the one before. [1..16, default 2]
---@field seed? integer Left out: made of the terrain's seed and the kind and name of the noise.
---@field name? string Tells apart noises of one kind that have no seed of their own.

---@class mapwright.options.source.warp
---@field x? mapwright.source|mapwright.field|number How far east the source is read. [elmo]
---@field z? mapwright.source|mapwright.field|number How far south the source is read. [elmo]
---@field amplitude? number Instead of x and z: noise that moves the source by up to this much. [elmo, 0..1000000000]
---@field period? number Of that noise; four times the amplitude when left out. [elmo, 0.001..1000000000]
---@field octaves? integer Of that noise. [1..16, default 2]
---@field seed? integer Of that noise; made of the terrain's when left out.
---@field name? string Tells apart warps that have no seed of their own.

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
---@field picture string Grey picture (PNG of 8 or 16 bits, TGA, BMP) or raw 16-bit samples (.r16, .raw). [required]
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
