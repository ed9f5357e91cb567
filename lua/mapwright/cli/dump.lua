--- `mapwright dump`: the whole of a file as stable text.
return {
	summary = "print the whole of a file as stable text",
	usage = "PATH",
	operands = { 1, 1 },
	run = function(_, operands)
		local path = operands[1]
		local findings = require "mapwright.format".dump(path, function(text)
			io.stdout:write(text)
		end)
		return require "mapwright.cli.term".findings(path, findings) and 1 or 0
	end,
}
