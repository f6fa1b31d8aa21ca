# The second copy of the COMDAT group, and another function.
	.include "arch.inc"
	.section .text.inline1,"axG",%progbits,inline1,comdat
	fn	inline1, 9, .weak
	.text
	fn	h1, 11
