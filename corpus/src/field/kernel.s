# What marks the image of a kernel: an exported symbol and a note.
	.section ___ksymtab+leaf,"a"
	.long	leaf - .
	.long	0
	.section .note.Linux,"a",%note
	.long	6, 4, 0x100
	.asciz	"Linux"
	.balign	4
	.long	0
	.section .note.GNU-stack,"",%progbits
