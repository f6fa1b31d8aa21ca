# A function; the object has no section .sframe.
	.include "arch.inc"
	fn	n0, 2
