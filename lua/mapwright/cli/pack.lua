--- `mapwright pack`: a folder to .sdz or .sd7, or one container to another.
local bytes_of = require "mapwright.util.bytes"
local core = require "mapwright.core"
local term = require "mapwright.cli.term"

return {
	summary = "pack a folder as .sdz or .sd7, or one kind of archive as another",
	usage = "[OPTION]... DIR|ARCHIVE -o FILE",
	operands = { 1, 1 },
	operand_name = "a folder or an archive",
	options = {
		{ "-o", "--out", arg = "FILE", key = "out",
			doc = "what to write: its name ends in .sdz, .sd7 or .sdd" },
		{ "-j", "--jobs", arg = "N", key = "jobs", kind = "integer", min = 1, max = 256,
			doc = "threads; the result is the same for any number" },
		{ "--fast", key = "level", value = "fast", doc = "pack quickly" },
		{ "--release", key = "level", value = "release", doc = "pack as small as can be" },
		{ "--hidden", key = "hidden", doc = "take names that begin with a dot, too" },
		{ "--max-unpacked", arg = "SIZE", key = "max_unpacked", pattern = "^%d+[kKmMgG]?$",
			doc = "let an archive unpack to this much (default 512M)" },
	},
	notes = "Entries are sorted, dated 1980-01-01 and the same bytes each time. An existing FILE\n" ..
		"is replaced only by a complete one.",
	run = function(options, operands)
		local archive = require "mapwright.archive"
		if not options.out then
			term.error("pack: needs -o FILE")
			io.stderr:write "Try 'mapwright pack --help'.\n"
			return 2
		end
		if options.jobs then core.base.set_threads(options.jobs) end
		if options.max_unpacked then archive.limit_unpacked(bytes_of(options.max_unpacked)) end
		local report = archive.pack(operands[1], options.out, options)
		for _, note in ipairs(report.notes) do term.warning(nil, note[1], note[2]) end
		term.say("%s: %d file%s%s", options.out, report.files, report.files == 1 and "" or "s",
			report.bytes > 0 and (", %d bytes"):format(report.bytes) or "")
		return 0
	end,
}
