# Two functions of one section.
	.include "arch.inc"
	fn	f0, 1
	fn	f1, 2
