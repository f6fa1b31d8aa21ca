# An input with a FILE symbol and local functions.
	.file	"named.c"
	.include "src/amd64/input.inc"
	functions main, named
