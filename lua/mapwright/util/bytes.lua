--- "512M" -> 536870912: a number of bytes with an optional k, M or G.
return function(text)
	local number, unit = text:match "^(%d+)([kKmMgG]?)$"
	local shift = { [""] = 0, k = 10, m = 20, g = 30 }
	return math.tointeger(number) << shift[unit:lower()]
end
