# Two functions with equal rows.
	.include "arch.inc"
	fn	twin0, 3
	fn	twin1, 3
