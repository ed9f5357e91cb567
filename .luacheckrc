std = "lua54"
max_line_length = 100
codes = true
cache = false
exclude_files = { "build", "lua/meta", "node_modules", "tests/data",
	"tests/fuzz/corpus" }

-- Our own scripts and specs run in a plain host.
files["tests/**/*_spec.lua"] = { std = "+busted" }
files["tests/support/oracle51.lua"] = { std = "lua51" }
