# A function of a COMDAT group, of which group-1.s has another copy, and one beside it.
	.include "arch.inc"
	.section .text.inline1,"axG",%progbits,inline1,comdat
	fn	inline1, 9, .weak
	.text
	fn	h0, 10
