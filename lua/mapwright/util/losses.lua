--- What a writer could not express, as text: "1 light, 2 smoothing groups"; nil for nothing.
---@param list {one: string, many: string, count: integer}[]
---@return string?
return function(list)
	local out = {}
	for i, loss in ipairs(list) do
		out[i] = ("%d %s"):format(loss.count, loss.count == 1 and loss.one or loss.many)
	end
	return out[1] and table.concat(out, ", ")
end
