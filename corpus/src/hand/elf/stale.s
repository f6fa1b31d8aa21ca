# A relocation that would write into the FREs.
	.include "text.inc"
	start 0x1c, pushes
	start 0x2c, leaf
	start 0x3c, flexible
	start 0x4c, stubs
	start 0x5c, outermost
	start 0x6c, wide
	start 0x8c, leaf
