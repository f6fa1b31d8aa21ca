// The code that the hand-made sections describe, linked at 0x1000, and the section
// itself: section.bin is looked up where the command line says.
	.macro	function name, size
	.globl	\name
	.type	\name, %function
\name:
	brk	1000
	.rept	\size/4-1
	nop
	.endr
	.size	\name, .-\name
	.endm

	.text
	function pushes, 0x20
	function leaf, 0x10
	function flexible, 0x20
	function stubs, 0x30
	function outermost, 0x10
	function wide, 0x120

	.section .sframe,"a",%0x6ffffff4
	.p2align 3
	.incbin	"section.bin"
	.section .note.GNU-stack,"",%progbits
