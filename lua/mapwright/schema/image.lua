--- Option tables of mw.image.
local M = {}

M.new = {
	name = "image",
	{ name = "w", type = "integer", min = 1, max = 32768, unit = "px", required = true,
		doc = "Width." },
	{ name = "h", type = "integer", min = 1, max = 32768, unit = "px", required = true,
		doc = "Height." },
	{ name = "color", type = "color", doc = "Colour of all pixels; black when absent." },
	{ name = "bits", type = "integer", min = 8, max = 16,
		doc = "8 or 16: a grey image whose pixels are whole numbers up to 255 or 65535." },
	{ name = "value", type = "integer", min = 0, max = 65535,
		doc = "Value of all pixels of a grey image." },
}

M.raw = {
	name = "image.raw",
	{ name = "w", type = "integer", min = 1, max = 32768, unit = "px",
		doc = "Width; a square is assumed when neither side is given." },
	{ name = "h", type = "integer", min = 1, max = 32768, unit = "px", doc = "Height." },
	{ name = "big_endian", type = "boolean", default = false,
		doc = "Whether the high byte of each sample comes first." },
}

M.from_field = {
	name = "image.from_field",
	{ name = "min", type = "number",
		doc = "Value that becomes 0; the least of the field when absent." },
	{ name = "max", type = "number",
		doc = "Value that becomes the greatest number; the greatest of the field when absent." },
	{ name = "bits", type = "integer", min = 8, max = 16, default = 16, doc = "8 or 16." },
	{ name = "ramp", type = "list",
		doc = "Colours instead of grey: {{value, color}, ...} with rising values." },
}

M.resize = {
	name = "image:resize",
	{ name = "w", type = "integer", min = 1, max = 32768, unit = "px", required = true,
		doc = "New width." },
	{ name = "h", type = "integer", min = 1, max = 32768, unit = "px", required = true,
		doc = "New height." },
	{ name = "filter", enum = { "smooth", "nearest" }, default = "smooth",
		doc = "smooth: area average when shrinking, bilinear when growing." },
}

M.to_field = {
	name = "image:to_field",
	{ name = "min", type = "number", default = 0, doc = "Value of a black pixel." },
	{ name = "max", type = "number", default = 1, doc = "Value of a white pixel." },
	{ name = "channel", enum = { "red", "green", "blue", "alpha", "brightness" },
		default = "brightness", doc = "What to read of a colour image." },
}

M.tileable = {
	name = "image:tileable",
	{ name = "border", type = "number", min = 0.01, max = 0.5, default = 0.25,
		doc = "Share of each side that is blended so that opposite edges fit." },
}

M.save = {
	name = "image:save",
	{ name = "level", type = "integer", min = 0, max = 12, default = 6,
		doc = "How hard to pack: 1 quick, 12 small." },
}

return M
