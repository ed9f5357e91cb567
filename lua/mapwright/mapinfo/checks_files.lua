--- Checks of what a whole map holds: the files that keys name, pictures, the archive itself.
local convert = require "mapwright.mapinfo.convert"
local eval = require "mapwright.mapinfo.eval"
local keys = require "mapwright.mapinfo.checks_keys"
local picture = require "mapwright.util.picture_head"

local M = {}

-- ---- files that keys name --------------------------------------------------------------

-- Name in the archive of a path as the engine looks for it, or nil.
local function resolve(site, path, only_maps)
	local low = path:gsub("\\", "/"):lower()
	if not only_maps and site.real[low] then return low end
	if site.real["maps/" .. low] then return "maps/" .. low end
	return nil
end

-- Without the prefix the engine adds by itself.
local function as_written(real, path)
	if #path < #real and real:lower():sub(-#path) == path:gsub("\\", "/"):lower() then
		return real:sub(-#path)
	end
	return real
end

local function one_file(c, path, value, only_maps)
	local site = c.site
	local low = resolve(site, value, only_maps)
	if not low then
		if value:lower():match "^bitmaps/" then return nil end -- of the engine's own content
		local dnts = convert.get(c.info, "resources.splatdetailnormaltex") ~= nil
			or convert.get(c.info, "resources.splatdetailnormaltex1") ~= nil
		if path == "resources.splatdetailtex" and dnts then return nil end -- a stand-in that is usual
		c.report(only_maps and "skybox-missing" or "resource-missing", path,
			"'%s' is not in the map%s", value, only_maps and " (it is looked for below maps/ only)"
			or ", neither as it stands nor below maps/", { value = true })
		return nil
	end
	local real = site.real[low]
	if as_written(real, value) ~= value:gsub("\\", "/") then
		c.report("resource-case", path,
			"'%s' is '%s' in the archive: the engine finds it, other tools may"
			.. " not", value, real, { value = true,
				fix = keys.replacement(c, path, '"' .. as_written(real, value) .. '"') })
	end
	return low
end

-- Every file that a key names: path -> name in the archive.
local function resources(c)
	local found = {}
	for _, item in ipairs(c.effective()) do
		local v = item.value
		if item.row.file and item.from == "file" and type(v) == "string" and v ~= "" then
			found[item.path] = one_file(c, item.path, v, item.row.file == "maps")
		end
	end
	local list = convert.get(c.info, "resources.splatdetailnormaltex")
	for i, v in ipairs(type(list) == "table" and list or {}) do
		local path = ("resources.splatdetailnormaltex[%d]"):format(i)
		if type(v) == "string" and v ~= "" then found[path] = one_file(c, path, v) end
	end
	return found
end

-- Those rules that need no file.
local function splats(c)
	local list, info = c.effective(), c.info
	local detail = list["resources.splatdetailtex"].value or ""
	local distr = list["resources.splatdistrtex"].value or ""
	local table_form = convert.get(info, "resources.splatdetailnormaltex")
	local numbered = {}
	for k in next, type(info.resources) == "table" and info.resources or {} do
		local n = type(k) == "string" and tonumber(k:match "^splatdetailnormaltex(%d+)$" or "")
		if n then numbered[#numbered + 1] = n end
	end
	table.sort(numbered)
	local dnts = type(table_form) == "table" and #table_form > 0 or #numbered > 0
	if (detail == "") ~= (distr == "") or (dnts and (detail == "" or distr == "")) then
		c.report("splat-incomplete", detail ~= "" and "resources.splatdetailtex" or distr ~= ""
			and "resources.splatdistrtex" or "resources", "%s is set without %s: no splatting is drawn%s",
			detail ~= "" and "splatDetailTex" or distr ~= "" and "splatDistrTex"
			or "a normal texture of splats", detail == "" and (distr == ""
			and "splatDetailTex and splatDistrTex" or "splatDetailTex") or "splatDistrTex",
			dnts and ", the normal textures of splats neither" or "")
	end
	for i, n in ipairs(numbered) do
		if n ~= i then
			c.report("dnts-gap", "resources.splatdetailnormaltex" .. n,
				"splatDetailNormalTex%d is there, but"
				.. " not %d: the engine stops at %d", n, i, i)
			break
		end
	end
	local count = type(table_form) == "table" and #table_form or #numbered
	if count > 4 then
		c.report("dnts-too-many", type(table_form) == "table" and "resources.splatdetailnormaltex"
			or "resources.splatdetailnormaltex5", "%d normal textures of splats: only four are loaded",
				count)
	end
	if type(table_form) == "table" and #numbered > 0 then
		c.report("dnts-mixed-forms", "resources.splatdetailnormaltex" .. numbered[1],
			"normal textures are"
			.. " given as a table and by numbers: the table wins")
	end
	if (list["resources.speculartex"].value or "") == "" then
		for _, item in ipairs(list) do
			if item.row.needs_specular and item.from == "file" and item.value ~= "" then
				c.report("needs-specular", item.path, "%s is never loaded without specularTex",
					item.row.path:match "[^.]*$")
			end
		end
	end
end

-- ---- pictures --------------------------------------------------------------------------

local tiled = { ["resources.detailtex"] = true, ["resources.splatdetailtex"] = true,
	["water.texture"] = true, ["water.foamtexture"] = true, ["water.normaltexture"] = true }
local whole_map = { ["resources.speculartex"] = true, ["resources.splatdistrtex"] = true,
	["resources.detailnormaltex"] = true, ["resources.skyreflectmodtex"] = true,
	["resources.lightemissiontex"] = true, ["resources.parallaxheighttex"] = true,
	["resources.grassshadingtex"] = true, ["smf.minimaptex"] = true }
local normals = { ["resources.detailnormaltex"] = true }

local function power_of_two(n) return n > 0 and n & (n - 1) == 0 end

local function one_picture(c, path, head)
	local size = ("%d x %d"):format(head.w, head.h)
	local splat_normal = path:match "splatdetailnormaltex"
	if head.w > 16384 or head.h > 16384 then
		c.report("texture-too-large", path,
			"the picture is %s; above 16384 many graphics cards refuse it",
			size, { value = true })
	end
	if (tiled[path] or splat_normal) and not (power_of_two(head.w) and power_of_two(head.h)) then
		c.report("texture-not-power-of-two", path,
			"the picture is %s: a tiled texture wants powers of two",
			size, { value = true })
	end
	if (normals[path] or splat_normal) and head.kind == "jpg" then
		c.report("jpg-normal-map", path, "normals in a .jpg wobble; take .dds, .png or .tga",
			{ value = true })
	end
	local map = c.map
	if not map then return end
	if whole_map[path] and head.w > 0 and head.h > 0 then
		local ratio = (head.w / head.h) / (map.info.mapx / map.info.mapy)
		if ratio < 0.95 or ratio > 1.05 then
			c.report("texture-aspect", path, "the picture is %s, the map %d x %d squares: it is stretched",
				size,
				map.info.mapx, map.info.mapy, { value = true })
		end
	end
	local row = require "mapwright.schema.mapinfo".find(path)
	if row and row.cells then
		local w, h = map.info.mapx // row.cells, map.info.mapy // row.cells
		if head.w ~= w or head.h ~= h then
			c.report("override-map-size", path, "the picture is %s and must be %d x %d: the engine takes the"
				.. " .smf's own map", size, w, h, { value = true })
		end
	end
end

local function pictures(c, found)
	local heads = {}
	for path, low in next, found do
		if not low:match "%.lua$" then
			local ok, bytes = pcall(c.site.head, low, 65536)
			if ok and bytes then
				local head, why = picture.read(bytes, low)
				heads[path] = head
				if head then
					one_picture(c, path, head)
				else
					c.report("texture-unreadable", path, "'%s' is %s", c.site.real[low], why, { value = true })
				end
				if head and head.kind == "dds" and whole_map[path] then
					for _, other in ipairs { ".png", ".tga", ".bmp" } do
						local sibling = low:gsub("%.%w+$", other)
						if c.site.real[sibling] then
							c.report("dds-orientation", path, "'%s' lies beside '%s': the engine turns a .dds over"
								.. " when it loads it, so it must be stored bottom row first", c.site.real[low],
								c.site.real[sibling], { value = true })
						end
					end
				end
			end
		end
	end
	local a, b = heads["resources.parallaxheighttex"], heads["resources.speculartex"]
	if a and b and (a.w ~= b.w or a.h ~= b.h) then
		c.report("parallax-size", "resources.parallaxheighttex",
			"the picture is %d x %d, specularTex %d x %d:"
			.. " they must be of one size", a.w, a.h, b.w, b.h, { value = true })
	end
end

-- ---- tile files named by keys ----------------------------------------------------------

local function smt_names(c)
	local info = type(c.info.smf) == "table" and c.info.smf or {}
	local count = 0
	while type(info["smtfilename" .. count]) == "string" do count = count + 1 end
	if count == 0 or not c.map then return end
	local files = c.map.smf:tile_files()
	if count ~= #files then
		c.report("smt-override-count", "smf.smtfilename0",
			"%d tile file%s named here, %s names %d: the engine"
			.. " ignores all of them", count, count == 1 and " is" or "s are", c.map.file, #files)
		return
	end
	c.smt_override = {}
	for i = 0, count - 1 do
		local path, name = "smf.smtfilename" .. i, info["smtfilename" .. i]
		local low = name:gsub("\\", "/"):lower()
		local beside = c.map.folder:lower() .. low
		local found = c.site.real[beside] and beside or c.site.real[low] and low
		if found then
			c.smt_override[i + 1] = found
		elseif c.site.whole then
			c.report("smt-override-missing", path, "'%s' is not in the map: all its tiles are red", name,
				{ value = true })
		end
	end
end

-- ---- the archive -----------------------------------------------------------------------

local junk = { "%.psd$", "%.xcf$", "%.kra$", "%.blend1?$", "%.tmd$", "%.bak$", "~$", "%.orig$",
	"%.rej$",
	"^%.git/", "/%.git/", "^%.svn/", "/%.svn/", "^__macosx/", "%.ds_store$", "thumbs%.db$",
	"desktop%.ini$", "%.zip$", "%.rar$", "%.7z$", "^%.vs", "^%.idea/" }

local function archive(c)
	local site = c.site
	local path = site.path:gsub("/+$", "")
	local name = path:match "[^/]*$"
	for _, low in ipairs(site.names) do
		for _, pattern in ipairs(junk) do
			if low:match(pattern) then
				c.report("archive-junk", { file = site.real[low] }, "no player needs this file")
				break
			end
		end
	end
	if not site.main then
		for _, low in ipairs(site.names) do
			if low:match "^[^/]+/mapinfo%.lua$" or low:match "^[^/]+/maps/[^/]*%.smf$" then
				c.report("archive-nested", { file = site.real[low] }, "the map is inside the folder '%s':"
					.. " mapinfo.lua and maps/ must be at the root", low:match "^[^/]+")
				break
			end
		end
	end
	if not site.entries then return end
	local first = {}
	for _, e in ipairs(site.entries) do
		local low = e.name:lower()
		if e.shadowed then
			c.report("archive-case-collision", { file = e.name }, "'%s' and '%s' are one file to the engine:"
				.. " the first one counts", first[low] or e.name, e.name)
		end
		first[low] = first[low] or e.name
		if e.backslash then
			c.report("archive-backslash", { file = e.name },
				"'%s' is stored with backslashes: the engine finds"
				.. " no such file", e.name)
		end
		if e.unsafe then
			c.report("archive-unsafe-name", { file = e.name }, "the name '%s' %s", e.name, e.unsafe)
		end
		if e.problem then
			c.report("archive-format", { file = e.name }, "%s: the engine cannot read it", e.problem)
		end
	end
	if site.kind == "folder" then return end
	if site.archive:solid() then
		c.report("archive-solid", nil, "the .sd7 is solid: BAR's checks refuse it; pack it with -ms=off")
	end
	local extension = (name:match "%.(%w+)$" or ""):lower()
	if extension ~= site.kind then
		c.report("archive-container", nil,
			"the file is a %s but called .%s: the engine goes by the name and"
			.. " cannot open it", site.kind == "sdz" and "zip (.sdz)" or "7z (.sd7)", extension)
	end
	if name:find " " then
		c.report("archive-filename-space", nil, "the name '%s' has a blank: BAR's servers take none",
			name)
	end
	if extension == "sdz" then
		c.report("archive-sdz-bar", nil, "BAR's pipeline loses mapinfo.lua of a .sdz: pack it as .sd7")
	end
end

local function further(c)
	local low = "mapconfig/map_startboxes.lua"
	if not c.site.real[low] then return end
	local core = require "mapwright.core".mapinfo
	local value, _, what = core.run(c.site.read(low), c.site.real[low], c.site.names, c.site.read, {},
		{})
	if value and (what ~= true or #eval.keys(value) == 0) then
		c.report("startboxes-empty", { file = c.site.real[low] },
			"there are no boxes in it: readers of it"
			.. " fail; leave the file out")
	end
end

function M.run(c)
	if c.site.archive or c.site.whole then archive(c) end
	further(c)
	if not c.info then return end
	splats(c)
	smt_names(c)
	if c.site.whole and not c.site.only_smf then pictures(c, resources(c)) end
end

return M
