# The definition that overrides the weak one.
	.include "arch.inc"
	fn	over, 6
