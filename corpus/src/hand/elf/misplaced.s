# A relocation four bytes after the start it is meant for.
	.include "text.inc"
	start 0x1c, pushes
	start 0x30, leaf
	start 0x3c, flexible
	start 0x4c, stubs
	start 0x5c, outermost
	start 0x6c, wide
