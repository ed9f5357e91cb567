--- `mapwright lua FILE [ARG...]`: any Lua file in the full host, with plain Lua rules.
return {
	summary = "run any Lua file in the full host",
	usage = "FILE [ARG]...",
	operands = { 1, math.huge },
	operand_name = "a Lua file",
	stop_at_operand = true,
	run = function(_, operands)
		local script = table.remove(operands, 1)
		local chunk, message = loadfile(script)
		if not chunk then error(message, 0) end
		_G.arg = table.move(operands, 1, #operands, 1, { [0] = script })
		local results = table.pack(chunk(table.unpack(operands)))
		if results.n > 0 and results[1] ~= nil and type(results[1]) ~= "table" then
			print(table.unpack(results, 1, results.n))
		end
		return 0
	end,
}
