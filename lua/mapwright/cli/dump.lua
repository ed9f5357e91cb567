--- `mapwright dump`: the whole of a file as stable text.
return {
	summary = "print the whole of a file as stable text",
	usage = "PATH",
	operands = { 1, 1 },
	run = function(_, operands)
		require "mapwright.format".dump(operands[1], function(text) io.stdout:write(text) end)
		return 0
	end,
}
