# A section .sframe of size 0, as startup files of C libraries have.
	.include "arch.inc"
	.globl	word
	.data
word:
	.quad	1
	.ifdef V3
	.section .sframe,"a",%0x6ffffff4
	.else
	.section .sframe,"a",%progbits
	.endif
