--- " (did you mean 'x'?)" for a misspelt name, or "".

-- Edits to turn a into b, a swap of neighbours counting as one.
local function distance(a, b)
	local before, row = nil, {}
	for j = 0, #b do row[j] = j end
	for i = 1, #a do
		local next_row = { [0] = i }
		for j = 1, #b do
			local same = a:byte(i) == b:byte(j)
			local best = math.min(row[j] + 1, next_row[j - 1] + 1, row[j - 1] + (same and 0 or 1))
			if before and i > 1 and j > 1 and a:byte(i) == b:byte(j - 1)
				and a:byte(i - 1) == b:byte(j) then
				best = math.min(best, before[j - 2] + 1)
			end
			next_row[j] = best
		end
		before, row = row, next_row
	end
	return row[#b]
end

--- The nearest of `names` (list of strings, or table with string keys) or nil.
local function nearest(name, names)
	if type(name) ~= "string" or #name > 200 then return nil end
	local candidates = {}
	for k, v in next, names do
		candidates[#candidates + 1] = type(k) == "number" and v or k
	end
	table.sort(candidates)
	local best, best_distance = nil, math.max(1, #name // 3) + 1
	for _, candidate in ipairs(candidates) do
		local d = distance(name:lower(), candidate:lower())
		if d < best_distance then best, best_distance = candidate, d end
	end
	return best
end

return setmetatable({ nearest = nearest, distance = distance }, {
	__call = function(_, name, names)
		local best = nearest(name, names)
		return best and (" (did you mean '%s'?)"):format(best) or ""
	end,
})
