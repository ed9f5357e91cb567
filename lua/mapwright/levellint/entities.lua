--- What entities say of one another: the rules of classes, keys and targets, for every kind of
--- level.
local M = {}

local function is_wire(value)
	local fields = {}
	for field in (value .. ","):gmatch "([^,]*)," do fields[#fields + 1] = field end
	return #fields == 5 and tonumber(fields[4]) ~= nil and fields[1]:match "%S" and fields
end

local target_keys = { target = true, killtarget = true, target2 = true, target3 = true,
	target4 = true, pathtarget = true }

--- Findings about entities, in order. `add(id, entity, message, place)`: place is what came with
--- the pair or the entity.
---@param list {pairs: table[], place: any}[] pairs {key, value, place}, classname among them
---@param add fun(id: string, entity: integer, message: string, place: any) entity from 0
---@param again fun(place: any): string words for the place of a key that is there already
function M.check(list, add, again)
	local names, wanted = {}, {}
	for i, e in ipairs(list) do
		local seen, class = {}, nil
		for _, pair in ipairs(e.pairs) do
			local key, value, place = pair[1], pair[2], pair[3]
			local wire = is_wire(value)
			if key == "classname" then class = value end
			if key == "targetname" and value ~= "" then
				names[value] = names[value] or { place = place, entity = i - 1 }
			elseif target_keys[key] and value ~= "" then
				wanted[#wanted + 1] = { name = value, place = place, entity = i - 1, key = key }
			elseif wire then
				wanted[#wanted + 1] = { name = wire[1], place = place, entity = i - 1, key = key }
			end
			if seen[key] and not wire then
				add("map-key-repeated", i - 1, ("key '%s' is there%s already"):format(key,
					again(seen[key])), place)
			end
			seen[key] = seen[key] or place
		end
		if not class or class == "" then
			add("map-classname", i - 1, ("entity %d has no classname"):format(i - 1), e.place)
		end
	end
	local used = {}
	for _, w in ipairs(wanted) do
		used[w.name] = true
		if not names[w.name] and not w.name:match "^[!*@]" then
			add("map-target-unknown", w.entity, ("'%s' names '%s', which nothing is called")
				:format(w.key, w.name), w.place)
		end
	end
	for _, name in ipairs(require "mapwright.util.ordered".keys(names)) do
		if not used[name] then
			add("map-target-unused", names[name].entity, ("nothing targets '%s'"):format(name),
				names[name].place)
		end
	end
end

return M
