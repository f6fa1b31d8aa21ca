# A relocation that makes the start an address instead of a distance.
	.include "text.inc"
	start 0x1c, pushes
	start 0x2c, leaf, R_X86_64_64
	start 0x3c, flexible
	start 0x4c, stubs
	start 0x5c, outermost
	start 0x6c, wide
