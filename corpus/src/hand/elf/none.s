# A relocation that does nothing, for the FDE of a function that was discarded.
	.include "text.inc"
	start 0x1c, pushes
	.reloc	sframe+0x2c, R_X86_64_NONE
	start 0x3c, flexible
	start 0x4c, stubs
	start 0x5c, outermost
	start 0x6c, wide
