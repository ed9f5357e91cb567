---@meta mapwright.core
-- The private C tables, by hand: what the files of lua/mapwright/ stand on, not for scripts. Functions
-- are positional and raise an error object {code, file, line, offset, message, at}. Bytes are strings.
-- scripts/check_docs.lua compares the names here with what the program holds.
error "for editors only"

---@class mapwright.core
---@field archive mapwright.core_archive
---@field base mapwright.core_base
---@field bsp mapwright.core_bsp
---@field dxt1 mapwright.core_dxt1
---@field field mapwright.core_field
---@field format mapwright.core_format
---@field fs mapwright.core_fs
---@field ground mapwright.core_ground
---@field hmap mapwright.core_hmap
---@field image mapwright.core_image
---@field log mapwright.core_log
---@field mapinfo mapwright.core_mapinfo
---@field metal mapwright.core_metal
---@field qmap mapwright.core_qmap
---@field quantize mapwright.core_quantize
---@field raster3d mapwright.core_raster3d
---@field scatter mapwright.core_scatter
---@field scene mapwright.core_scene
---@field smf mapwright.core_smf
---@field smt mapwright.core_smt
---@field solids mapwright.core_solids
---@field source mapwright.core_source
---@field tile mapwright.core_tile
---@field view mapwright.core_view

-- ---- the ground floor ------------------------------------------------------------------------

---@class mapwright.core_base
---@field deflate fun(bytes: string, level: integer, kind: "raw"|"zlib"|"gzip"): string level 0..12
---@field inflate fun(bytes: string, max: integer, kind: "raw"|"zlib"|"gzip"): string raises past max bytes
---@field fail fun(code: string, message: string) raises an error object as the core does
---@field float32_text fun(v: number): string the shortest text of the same float32
---@field number_text fun(v: number): string the shortest text that reads back
---@field hash fun(bytes: string): string 32 hex digits
---@field json_read fun(text: string): any
---@field json_write fun(value: any, indent: integer): string a table with a list `__keys` is a map in that order
---@field rng fun(seed: integer, stream: string): mapwright.rng
---@field threads fun(): integer workers of the pool, the calling thread included
---@field set_threads fun(n: integer) 0: one per core
---@field versions fun(): {[1]: string, [2]: string}[] names and versions of what is linked
---@field where fun(): string "file:line" of the user's code, or ""

---@class mapwright.rng
---@field unit fun(self: mapwright.rng): number 0 up to but not 1
---@field below fun(self: mapwright.rng, n: integer): integer 0..n-1

---@class mapwright.core_fs
---@field kind fun(path: string): "file"|"folder"|"other"|nil
---@field list fun(path: string): string[] sorted names
---@field mkdirs fun(path: string)
---@field read fun(path: string): string
---@field remove_tree fun(path: string)
---@field rename fun(from: string, to: string)
---@field sweep fun(path: string) removes the temporaries that killed processes left beside path
---@field write fun(path: string, bytes: string) beside it, then renamed

---@class mapwright.core_log
---@field begin fun(stage: string): mapwright.stage
---@field drain fun(): {level: string, id?: string, text: string}[] recorded since the last call
---@field process fun(): {wall: number, cpu: number, peak: integer} of the program so far [second, byte]
---@field put fun(level: string, id: string?, text: string)
---@field quiet fun() no progress from here on
---@field stats fun(): {stage: string, wall: number, cpu: number, items: integer, bytes: integer, peak: integer}[]
---@field terminal fun(): boolean whether messages go to a terminal
---@field wipe fun() takes the progress line away before a message

---@class mapwright.stage
---@field done fun(self: mapwright.stage, items?: integer, bytes?: integer)

---@class mapwright.core_archive
---@field dir_items fun(dir: string, hidden: boolean): {name: string, path: string}[], integer, integer files; number of hidden and of special ones left out
---@field kind fun(path: string): "sdd"|"sdz"|"sd7"|nil by the extension
---@field limit_unpacked fun(bytes: integer): integer what archives may unpack to, an entry and in total; returns the limit before
---@field open fun(path: string): mapwright.core_archive_open
---@field open_bytes fun(bytes: string, label: string): mapwright.core_archive_open
---@field unsafe_name fun(name: string): string? why it cannot be a file inside a folder
---@field write fun(path: string, kind: "sdd"|"sdz"|"sd7", level: string, items: {name: string, bytes?: string, path?: string}[])

--- Userdata "mapwright.archive".
---@class mapwright.core_archive_open
---@field close fun(self: mapwright.core_archive_open)
---@field entries fun(self: mapwright.core_archive_open): table[] {name, size, packed, crc?, problem?, unsafe?, backslash?, shadowed?} by name
---@field extract fun(self: mapwright.core_archive_open, dir: string)
---@field find fun(self: mapwright.core_archive_open, name: string): string?, integer? name as it is stored, size; looked up as the engine does
---@field head fun(self: mapwright.core_archive_open, name: string, n: integer): string? the first n bytes or fewer
---@field kind fun(self: mapwright.core_archive_open): "sdd"|"sdz"|"sd7" by its content
---@field read fun(self: mapwright.core_archive_open, name: string): string?
---@field solid fun(self: mapwright.core_archive_open): boolean

-- ---- grids and pictures ----------------------------------------------------------------------

---@class mapwright.core_field
---@field abs fun(f: mapwright.field)
---@field apply fun(f: mapwright.field, op: string, operand: number|mapwright.field)
---@field at fun(f: mapwright.field, x: number, z: number): number bilinear
---@field blur fun(f: mapwright.field, radius: number) [sample]
---@field bytes fun(f: mapwright.field): string float32, little-endian, row by row
---@field clamp fun(f: mapwright.field, lo: number, hi: number)
---@field copy fun(f: mapwright.field): mapwright.field
---@field curvature fun(f: mapwright.field): mapwright.field
---@field curve fun(f: mapwright.field, xs: number[], ys: number[])
---@field engine_slope fun(f: mapwright.field): mapwright.field one sample for 2 x 2 squares
---@field erode_droplets fun(f: mapwright.field, count: integer, lifetime: integer, radius: number, inertia: number, capacity: number, dissolve: number, deposit: number, evaporation: number, gravity: number, seed: integer)
---@field erode_hydraulic fun(f: mapwright.field, iterations: integer, rain: number, variation: number, evaporation: number, capacity: number, dissolve: number, deposit: number, friction: number, seed: integer)
---@field erode_thermal fun(f: mapwright.field, iterations: integer, talus: number, rate: number)
---@field get fun(f: mapwright.field, i: integer, j: integer): number from 0
---@field height_at fun(f: mapwright.field, x: number, z: number): number the engine's height between vertices
---@field histogram fun(f: mapwright.field, lo: number, hi: number, bins: integer): integer[]
---@field lerp fun(f: mapwright.field, to: number|mapwright.field, mask: mapwright.field)
---@field madd fun(f: mapwright.field, other: mapwright.field, factor: number)
---@field map fun(f: mapwright.field, fn: fun(value: number, x: number, z: number): number)
---@field mean fun(f: mapwright.field, kind: string, points: number[], size: number): number inside the shape
---@field measure fun(f: mapwright.field): number, number, number, integer, integer min, max, mean, how many NaN and infinite
---@field meta table the metatable's name and functions that lua/mapwright/field.lua adds to
---@field mirror fun(f: mapwright.field, kind: string, n: integer, soften: number) [sample]
---@field new fun(w: integer, h: integer, x0: number, z0: number, step: number, seed: integer): mapwright.field zeros
---@field normalise fun(f: mapwright.field, lo: number, hi: number)
---@field place fun(f: mapwright.field, x0: number, z0: number, step: number, seed: integer) where its samples lie from now on
---@field put fun(f: mapwright.field, i: integer, j: integer, value: number) from 0
---@field resample fun(f: mapwright.field, w: integer, h: integer, kind: string, step: number): mapwright.field corners stay where they are
---@field scale fun(f: mapwright.field, factor: number, offset: number)
---@field set_methods fun(methods: table, other: fun(f: mapwright.field, name: string): any) what field.name gives
---@field shape fun(f: mapwright.field): integer, integer, number, number, number, integer w, h, x0, z0, step, seed
---@field slope fun(f: mapwright.field): mapwright.field [degree]
---@field stamp fun(f: mapwright.field, kind: string, points: number[], size: number, mode: string, soften: number) [elmo]
---@field terrace fun(f: mapwright.field, step: number, offset: number, soften: number)

---@class mapwright.core_source
---@field apply fun(op: string, a: mapwright.source, b?: mapwright.source, c?: mapwright.source): mapwright.source
---@field constant fun(v: number): mapwright.source
---@field curve fun(a: mapwright.source, x: number[], y: number[], smooth: boolean): mapwright.source
---@field distance fun(kind: string, xz: number[]): mapwright.source
---@field eval fun(a: mapwright.source, f: mapwright.field) fills the field where its samples lie, with its seed
---@field field fun(f: mapwright.field, filter: string, edge: string): mapwright.source its samples as they are now
---@field fit fun(a: mapwright.source, w: number, h: number): mapwright.source as if the map were 0..w by 0..h
---@field length fun(a: mapwright.source): integer values computed per block, shared ones once
---@field meta table the metatable's name and functions that lua/mapwright/source.lua adds to
---@field mirror fun(a: mapwright.source, kind: string, n: integer, x: number?, z: number?, soften: number): mapwright.source without a centre about the map's
---@field noise fun(basis: string, fractal: string, cell: string, period: number, octaves: integer, amplitude: number, lacunarity: number, gain: number, feedback: number, jitter: number, seed: integer, stream: string?): mapwright.source
---@field rotate fun(a: mapwright.source, turns: number, x: number, z: number): mapwright.source clockwise, seen from above
---@field terrace fun(a: mapwright.source, step: number, offset: number, soften: number): mapwright.source
---@field transform fun(a: mapwright.source, m0: number, m1: number, m2: number, m3: number, m4: number, m5: number): mapwright.source a at (m0 x + m1 z + m2, m3 x + m4 z + m5)
---@field warp fun(a: mapwright.source, dx: mapwright.source?, dz: mapwright.source?): mapwright.source
---@field x fun(): mapwright.source
---@field z fun(): mapwright.source

---@class mapwright.core_image
---@field blit fun(img: mapwright.image, from: mapwright.image, x: integer, y: integer) cut off at the edges; both of one kind
---@field bytes fun(img: mapwright.image, label?: string): string one byte a pixel of a grey image; 16 bits are rounded with a warning
---@field check_size fun(img: mapwright.image, what: string, w: integer, h: integer) raises with both sizes
---@field class table the metatable that lua/mapwright/image.lua adds methods to
---@field copy fun(img: mapwright.image): mapwright.image
---@field decode fun(bytes: string, label?: string): mapwright.image grey with exact values when the file is grey
---@field decode_grey fun(bytes: string, label?: string): mapwright.image refuses colour
---@field encode fun(img: mapwright.image, level: integer): string a PNG; level 0..12
---@field from_field fun(f: mapwright.field, min: number, max: number, bits: integer): mapwright.image grey: min is 0, max 255 or 65535
---@field get fun(img: mapwright.image, x: integer, y: integer): number, number?, number?, number? value, or r, g, b, a
---@field has_alpha fun(img: mapwright.image): boolean whether any alpha is below 1
---@field info fun(img: mapwright.image): integer, integer, integer? w, h, bits of grey
---@field line fun(img: mapwright.image, x0: number, y0: number, x1: number, y1: number, radius: number, ...: number) pixels within radius; the value or r, g, b, a
---@field map fun(img: mapwright.image, fn: fun(x: integer, y: integer, ...: number): ...) nil keeps the old
---@field new fun(w: integer, h: integer, bits?: integer): mapwright.image bits 8 or 16: grey; all zero
---@field probe fun(bytes: string): string, integer, integer, integer, integer kind, w, h, channels, bits
---@field probe_file fun(path: string): string, integer, integer, integer, integer the same
---@field ramp fun(f: mapwright.field, stops: number[]): mapwright.image stops: at, r, g, b, at, ...; straight between
---@field range fun(f: mapwright.field): number, number least and greatest finite sample
---@field raw fun(bytes: string, w: integer, h: integer, big_endian: boolean, label?: string): mapwright.image grey of 16 bits; w = h = 0: square
---@field rect fun(img: mapwright.image, x: number, y: number, w: number, h: number, ...: number) pixels whose centres are inside
---@field resize fun(img: mapwright.image, w: integer, h: integer, filter: "smooth"|"nearest"): mapwright.image
---@field set fun(img: mapwright.image, x: integer, y: integer, ...: number) the value or r, g, b, a
---@field tileable fun(img: mapwright.image, border: number): mapwright.image border: share of each side that is blended, 0..0.5
---@field to_colour fun(img: mapwright.image): mapwright.image
---@field to_field fun(img: mapwright.image, channel: integer, factor: number, offset: number): mapwright.field channel 0..3; -1: grey and brightness
---@field to_grey fun(img: mapwright.image, label?: string): mapwright.image refuses channels that differ
---@field widen fun(img: mapwright.image, label?: string) 8-bit grey becomes 16-bit grey, v * 257, with a warning
---@field words fun(img: mapwright.image): string two little-endian bytes a pixel of 16-bit grey

---@class mapwright.core_quantize
---@field bytes fun(f: mapwright.field, what: string): string rounded to 0..255; raises naming the first sample that does not fit
---@field decode_u16 fun(bytes: string, w: integer, h: integer, min: number, max: number, x0: number, z0: number, step: number): mapwright.field heights as the engine has them
---@field decode_u8 fun(bytes: string, w: integer, h: integer, x0: number, z0: number, step: number): mapwright.field
---@field u16 fun(f: mapwright.field, min: number, max: number): string, table little-endian words, clip report
---@field u8 fun(f: mapwright.field, min: number, max: number): string, table bytes, clip report

---@class mapwright.core_metal
---@field domes fun(bytes: string, w: integer, h: integer, spots: table[], max_metal: number, extractor_radius: number, mirror: string, n: integer): string, table[], table[] bytes, sites, overlaps
---@field snap fun(position: number, size: number): number nearest place an extractor can stand
---@field yield fun(bytes: string, w: integer, h: integer, x: number, z: number, radius: number, max_metal: number): number metal per second

---@class mapwright.core_scatter
---@field positions fun(rules: table, mirror: string, n: integer): {x: number, z: number, orbit: integer, image: integer}[]

---@class mapwright.core_dxt1
---@field decode fun(bytes: string, w: integer, h: integer): mapwright.image
---@field encode fun(img: mapwright.image, level: "fast"|"normal"|"best"): string
---@field error fun(img: mapwright.image, bytes: string): number, number sum of squared differences, PSNR in dB

---@class mapwright.core_tile
---@field encode fun(img: mapwright.image, level: "fast"|"normal"|"best"): string 680 bytes a tile, rows from north
---@field minimap fun(bytes: string, level: integer): mapwright.image 1024 >> level; level 0..8
---@field picture fun(tiles: string, index: string, across: integer, mip: integer): mapwright.image index: i32 little-endian, across to a row

---@class mapwright.core_ground
---@field close fun(made: userdata) removes the tile files
---@field compile fun(spec: table): userdata, boolean the ground, whether its picture has alpha
---@field files fun(made: userdata): {path: string, count: integer}[] in order of the tile numbers
---@field index fun(made: userdata): string tile numbers, i32 little-endian, rows from north
---@field minimap fun(made: userdata): string its DXT1 levels
---@field size fun(made: userdata): integer, integer, integer tiles across, tiles down, records

---@class mapwright.core_view
---@field relief fun(heights: mapwright.field, width: integer, options: table): mapwright.image options: ground, void_water, contour, title, marks

-- ---- solids and levels -----------------------------------------------------------------------

--- Lists of brushes are userdata "mapwright.solids".
---@class mapwright.core_solids
---@field append fun(a: userdata, b: userdata) puts b's brushes behind those of a
---@field at fun(a: userdata, x: number, y: number, z: number): integer contents bits of the brushes that hold the point inside
---@field boolean fun(kind: "subtract"|"intersect"|"union", a: userdata, b: userdata): userdata
---@field brush fun(a: userdata, i: integer): table {contents, volume, faces = {{nx, ny, nz, d, material, part, corners}}}, from 1
---@field clip fun(a: userdata, nx: number, ny: number, nz: number, d: number, keep: integer): userdata keep < 0: behind, > 0: in front, 0: both
---@field contents fun(a: userdata, bits: integer) of all brushes, in place
---@field copy fun(a: userdata): userdata
---@field count fun(a: userdata): integer, integer brushes, sides
---@field hollow fun(a: userdata, wall: number): userdata
---@field hull fun(xyz: number[], flat: number): userdata of one brush
---@field measure fun(a: userdata): number, number, number, ... volume of the set, sums of volumes and areas, box when not empty
---@field merge fun(a: userdata): userdata joined where that is exact and faces look the same
---@field paint fun(a: userdata, options: table) in place; options: material, u, v, scale_u, scale_v, rotation, hidden, part, nx, ny, nz
---@field planes fun(planes: number[]): userdata, "closed"|"empty"|"open" nx, ny, nz, d of each
---@field prism fun(xz: number[], bottom: number, top: number): userdata
---@field shape fun(kind: string, x0: number, y0: number, z0: number, x1: number, y1: number, z1: number, ...: any): userdata
---@field terrain fun(f: mapwright.field, base: number, least: number, x: number, z: number, cell: number): userdata under a height field
---@field transform fun(a: userdata, ...: number|boolean): userdata 12 numbers, rows of 4, and whether textures are locked
---@field turn fun(pitch: number, yaw: number, roll: number): number, number, number, number, number, number, number, number, number rows of the rotation

---@class mapwright.core_bsp
---@field build fun(solids: userdata, leaf_size: integer, max_depth: integer): mapwright.core_bsp_tree

--- Userdata "mapwright.core.bsp". Brushes count from 1.
---@class mapwright.core_bsp_tree
---@field contents fun(self: mapwright.core_bsp_tree, x: number, y: number, z: number): integer, integer, integer? bits, brushes tested, first that holds it
---@field node fun(self: mapwright.core_bsp_tree, link: integer): ... nx, ny, nz, d, front link, back link; the list of brushes of leaf ~link
---@field root fun(self: mapwright.core_bsp_tree): integer link
---@field stats fun(self: mapwright.core_bsp_tree): table {depth, nodes, leaves, planes, items, most}
---@field sweep fun(self: mapwright.core_bsp_tree, fx: number, fy: number, fz: number, tx: number, ty: number, tz: number, hx: number, hy: number, hz: number, mask: integer): number, ... t, brush, inside, nx, ny, nz; t alone (1) when nothing is hit

---@class mapwright.core_scene
---@field new fun(name: string, units_per_metre: number, grid: number, r: number, g: number, b: number): mapwright.core_scene_made

--- Userdata "mapwright.core.scene".
---@class mapwright.core_scene_made
---@field add fun(self: mapwright.core_scene_made, solids: userdata, owner: integer, group: integer, detail: boolean, at: string): integer how many brushes; owner and group from 1, 0 none
---@field brushes fun(self: mapwright.core_scene_made, owner: integer): userdata owner from 1; 0 the world
---@field check fun(self: mapwright.core_scene_made): table[] {level, rule, kind, index, where?, message}
---@field counts fun(self: mapwright.core_scene_made): table {materials, brushes, faces, meshes, entities, groups, units_per_metre, name}
---@field entities fun(self: mapwright.core_scene_made): table[] {classname, at, angles, scale, pairs, where?}
---@field entity fun(self: mapwright.core_scene_made, classname: string, at: number[], angles: number[], scale: number[], keys: string[], group: integer, where: string): integer from 1
---@field group fun(self: mapwright.core_scene_made, name: string, at: string): integer from 1
---@field leak fun(self: mapwright.core_scene_made, gap: number): table {sealing, states, entity?, line?}; states are "unasked", "in_solid", "sealed", "leaks"; entity from 1
---@field material fun(self: mapwright.core_scene_made, name: string, texture: string, u: number, v: number, r: number, g: number, b: number, px: integer, py: integer): integer from 0
---@field materials fun(self: mapwright.core_scene_made): {name: string, texture: string, pixels?: integer}[]
---@field mesh fun(self: mapwright.core_scene_made, name: string, xyz: number[], polys: table[], owner: integer, group: integer, collides: boolean, at: string)
---@field pixels fun(self: mapwright.core_scene_made, material: integer, width: integer, height: integer) the size of its picture; from 1
---@field wire fun(self: mapwright.core_scene_made, entity: integer, output: string, target: string, input: string, parameter: string, delay: number, once: boolean)

---@class mapwright.core_raster3d
---@field draw fun(scene: mapwright.core_scene_made, view: string, w: integer, h: integer, hmap?: mapwright.core_hmap_file, textures?: table<integer, mapwright.image>): mapwright.image, integer image, triangles

-- ---- formats ---------------------------------------------------------------------------------

---@class mapwright.core_format
---@field list fun(): {name: string, title: string, extensions: string, writable: boolean}[]
---@field of fun(bytes: string, path: string): string? name of the format
---@field rewrite fun(format: string, bytes: string, label: string): string the same file, read and written again
---@field verify fun(format: string, bytes: string, label: string) raises what is wrong with it

---@class mapwright.core_hmap
---@field from_scene fun(scene: mapwright.core_scene_made): mapwright.core_hmap_file, table[] losses {one, many, count}
---@field read fun(bytes: string, label: string, strict: boolean): mapwright.core_hmap_file, table[] findings; strict raises the first fault

--- Userdata "mapwright.core.hmap".
---@class mapwright.core_hmap_file
---@field batch fun(self: mapwright.core_hmap_file, i: integer): table {material, source, model, vertices, indices}, from 1
---@field brush fun(self: mapwright.core_hmap_file, i: integer): table {id, owner, contents, flags, faces}, from 1
---@field chunks fun(self: mapwright.core_hmap_file): {tag: string, known: boolean, bytes?: string}[]
---@field compile fun(self: mapwright.core_hmap_file, options: table): table {open, empty, first_open?, first_empty?, cracks, bad_polys}
---@field entities fun(self: mapwright.core_hmap_file): table[] {id, flags, offset, classname, origin, angles, scale, keys}
---@field entity_lights fun(self: mapwright.core_hmap_file): table[] as lights, but from the entities
---@field hulls fun(self: mapwright.core_hmap_file): {object: integer, bounds: number[], points: number[]}[] 9 numbers a triangle
---@field info fun(self: mapwright.core_hmap_file): table
---@field leaf fun(self: mapwright.core_hmap_file, i: integer): integer[] solids; all from 0, as in the file
---@field level fun(self: mapwright.core_hmap_file): table what is compiled, in numbers
---@field lights fun(self: mapwright.core_hmap_file): table[] {kind, pos, dir, color, intensity, radius, inner, outer, entity}
---@field lint fun(self: mapwright.core_hmap_file, micro: number, sliver: number, gap: number, grid: number, limit: number, weld: number): table[] findings
---@field materials fun(self: mapwright.core_hmap_file): table[] {name, texture, tile, color, flags}
---@field mend fun(self: mapwright.core_hmap_file, distance: number, grid: number): integer faces and vertices that were changed
---@field mesh fun(self: mapwright.core_hmap_file, i: integer): table {id, owner, flags, name, vertices, polys}, from 1
---@field models fun(self: mapwright.core_hmap_file): {entity: integer, bounds: number[], solids: integer}[]
---@field node fun(self: mapwright.core_hmap_file, i: integer): number[], integer, integer plane, front, back; from 0
---@field query fun(self: mapwright.core_hmap_file): mapwright.core_query lives on without the hmap
---@field scene fun(self: mapwright.core_hmap_file): mapwright.core_scene_made
---@field set_content fun(self: mapwright.core_hmap_file, content: "source"|"compiled"|"both")
---@field solid fun(self: mapwright.core_hmap_file, i: integer): table {contents, source, bounds, planes}, from 0
---@field write fun(self: mapwright.core_hmap_file): string

--- Userdata "mapwright.core.query". Solids count from 0.
---@class mapwright.core_query
---@field contents fun(self: mapwright.core_query, x: number, y: number, z: number): integer, integer, integer[] bits, brushes tested, solids that hold it
---@field cost fun(self: mapwright.core_query, n: integer): number, integer mean and most brushes that one of n points tests
---@field sweep fun(self: mapwright.core_query, fx: number, fy: number, fz: number, tx: number, ty: number, tz: number, hx: number, hy: number, hz: number, mask: integer): number, ... t, solid, inside, nx, ny, nz

---@class mapwright.core_qmap
---@field dialect fun(name: string): string?, string? our name and TrenchBroom's
---@field dialects fun(): string[] in order
---@field from_scene fun(scene: mapwright.core_scene_made, units_per_metre?: number, axes?: string): mapwright.core_qmap_model, table[] losses {one, many, count}
---@field read fun(bytes: string, label: string): mapwright.core_qmap_model, table[] findings

--- Userdata "mapwright.qmap".
---@class mapwright.core_qmap_model
---@field entity fun(self: mapwright.core_qmap_model, i: integer, without_brushes?: boolean): table {line, pairs, brushes}, from 1
---@field info fun(self: mapwright.core_qmap_model): table
---@field lint fun(self: mapwright.core_qmap_model, micro: number, sliver: number, gap: number, grid: number, limit: number): table[] findings
---@field scene fun(self: mapwright.core_qmap_model, units_per_metre?: number, axes?: string, scene_units_per_metre?: number, patch_steps?: integer, sizes?: table[]): mapwright.core_scene_made, table[] findings
---@field solids fun(self: mapwright.core_qmap_model, rows?: boolean): table, table[] {brushes, faces, open, dropped, volume, min?, max?, rows? of {how, line, points, lines, corners}}, findings
---@field textures fun(self: mapwright.core_qmap_model): string[] each once, in the text's order
---@field write fun(self: mapwright.core_qmap_model, dialect?: string, decimals?: integer, no_quotes?: boolean, no_comments?: boolean): string, table

---@class mapwright.core_smf
---@field check_size fun(mapx: integer, mapy: integer, force: boolean) raises for a size the engine cannot take
---@field from_level fun(level: table): mapwright.core_smf_map
---@field height_of fun(min_height: number, max_height: number, value: integer): number [elmo]
---@field read fun(bytes: string, label: string): mapwright.core_smf_map, table[] findings
---@field wrap_heading fun(h: integer): integer -32768..32767

--- Userdata "mapwright.smf".
---@class mapwright.core_smf_map
---@field extras fun(self: mapwright.core_smf_map): {size: integer, type: integer, payload?: string}[]
---@field feature_types fun(self: mapwright.core_smf_map): string[]
---@field features fun(self: mapwright.core_smf_map): table[] {type, name?, x, y, z, rotation, relative_size}; type from 0
---@field grid fun(self: mapwright.core_smf_map, block: string): string?, integer?, integer? little-endian bytes, width, depth
---@field ground_at fun(self: mapwright.core_smf_map, x: number, z: number): number? [elmo] as the engine interpolates it
---@field info fun(self: mapwright.core_smf_map): table
---@field spans fun(self: mapwright.core_smf_map): {block: string, offset: integer, size: integer}[] as the file had them
---@field stats fun(self: mapwright.core_smf_map, block: string): table? {min, max, distinct, nonzero, sum}
---@field tile_files fun(self: mapwright.core_smf_map): {name: string, count: integer}[]
---@field tiles_used fun(self: mapwright.core_smf_map): integer that the index names
---@field write fun(self: mapwright.core_smf_map, keep_layout: boolean, derive_id: boolean): string

---@class mapwright.core_smt
---@field header fun(count: integer): string the 32 bytes in front of that many tiles
---@field read fun(bytes: string, label: string): table, table[] {declared, count, present, trailing}, findings
---@field write fun(tiles: string): string tiles are 680 bytes each

---@class mapwright.core_mapinfo
---@field count16 fun(bytes: string, value: integer): integer how many of the little-endian words have that value
---@field float fun(v: number): number as a float32
---@field number_text fun(v: number): string as the engine's tostring writes it
---@field parse fun(text: string): table?, table? {tables, fields, stmts, refs, comments}; or nil, {kind, message, line, start}
---@field run fun(text: string, name: string, names?: string[], read?: (fun(path: string): string?), options?: table<string, string>, map?: table<string, string>): table?, table, any table, events, true; see mapinfo_eval.h
---@field see_through fun(bytes: string, offset: integer, blocks: integer): integer how many DXT1 blocks have a texel without colour
---@field tdf fun(text: string): table?, table? rows; or nil, {kind, message, line, start}

---@type mapwright.core
local core
return core
