# A section that the linker script discard.ld discards, and one that stays.
	.include "arch.inc"
	fn	stays, 2
	.section .text.gone,"ax",%progbits
	fn	gone, 3
