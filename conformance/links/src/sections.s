# Functions of four sections, in an order that linkers change.
	.include "arch.inc"
	.section .text.unlikely,"ax",%progbits
	fn	cold, 5
	.section .text.startup,"ax",%progbits
	fn	startup, 6
	.section other_text,"ax",%progbits
	fn	other, 7
	.text
	fn	plain, 8
