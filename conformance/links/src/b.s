# Two other functions.
	.include "arch.inc"
	fn	g0, 3
	fn	g1, 4
