# A start in a function that is not defined here.
	.include "text.inc"
	start 0x1c, pushes
	start 0x2c, elsewhere
	start 0x3c, flexible
	start 0x4c, stubs
	start 0x5c, outermost
	start 0x6c, wide
