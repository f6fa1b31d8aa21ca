# After text-amd64.s: an .eh_frame that describes the two halves of leaf, too, for which the section has no
# FDE, and names for the functions around them in the input lost.c.
	.section .eh_frame,"a",@progbits
cie:	.long	2f-1f
1:	.long	0
	.byte	1
	.asciz	"zR"
	.byte	1, 0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1
	.p2align 2, 0
2:
	.macro	fde start, size, program:vararg
	.long	2f-1f
1:	.long	1b-cie
	.long	\start-.
	.long	\size
	.byte	0, \program
	.p2align 2, 0
2:
	.endm
	fde	pushes, 0x20, 0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6
	fde	leaf, 0x8, 0
	fde	leaf+8, 0x8, 0
	fde	flexible, 0x20, 0x45, 0x0c, 10, 0, 0x4b, 0x0f, 3, 0x76, 0x78, 6, 0x10, 6, 2, 0x76, 0
	.long	0

	.file	"lost.c"
	.macro	alias name, function, size
	.type	\name, @function
	.set	\name, \function
	.size	\name, \size
	.endm
	alias	local_pushes, pushes, 0x20
	alias	leaf_end, leaf+8, 0x8
	alias	local_flexible, flexible, 0x20
