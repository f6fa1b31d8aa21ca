# A relocation that does nothing, beside the one of an FDE's start.
	.include "text.inc"
	start 0x1c, pushes
	start 0x2c, leaf
	.reloc	sframe+0x2c, R_X86_64_NONE
	start 0x3c, flexible
	start 0x4c, stubs
	start 0x5c, outermost
	start 0x6c, wide
