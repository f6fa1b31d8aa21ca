# An input without a FILE symbol, with a local function.
	.include "src/amd64/input.inc"
	functions helper, nameless
