# Functions without .eh_frame, which could not reach a code segment that is far away.
	.include "arch.inc"
	.cfi_sections .sframe
	fn	f0, 1
	fn	f1, 2
