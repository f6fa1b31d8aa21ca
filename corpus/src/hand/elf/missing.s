# An FDE without a relocation: its start can never become an address.
	.include "text.inc"
	start 0x1c, pushes
	start 0x2c, leaf
	start 0x4c, stubs
	start 0x5c, outermost
	start 0x6c, wide
