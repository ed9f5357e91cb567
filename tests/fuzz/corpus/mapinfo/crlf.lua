return {
	a = "x\
y", -- c
}
