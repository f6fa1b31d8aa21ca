# A relocation of 32 bits for a start of 64.
	.include "text.inc"
	start 0x1c, pushes
	start 0x2c, leaf, R_X86_64_PC32
	start 0x3c, flexible
	start 0x4c, stubs
	start 0x5c, outermost
	start 0x6c, wide
