--- Option tables of mw.dxt1.
local M = {}

M.encode = {
	name = "dxt1.encode",
	{ name = "image", type = "image", required = true,
		doc = "The picture; both sides multiples of 4." },
	{ name = "level", enum = { "fast", "normal", "best" }, default = "normal",
		doc = "How long to search: best loses least and takes about eight times as long as normal." },
}

M.decode = {
	name = "dxt1.decode",
	{ name = "bytes", type = "string", required = true, doc = "The blocks, row by row." },
	{ name = "w", type = "integer", min = 4, max = 32768, unit = "px", required = true,
		doc = "Width, a multiple of 4." },
	{ name = "h", type = "integer", min = 4, max = 32768, unit = "px", required = true,
		doc = "Height, a multiple of 4." },
}

M.error = {
	name = "dxt1.error",
	{ name = "image", type = "image", required = true, doc = "The picture before encoding." },
	{ name = "bytes", type = "string", required = true, doc = "Its blocks." },
}

return M
