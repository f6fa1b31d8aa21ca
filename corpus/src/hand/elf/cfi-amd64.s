# After text-amd64.s: an .eh_frame by which six functions are otherwise than the section
# says, each in another way. leaf has none.
	.macro	cie name, augmentation
\name:
	.long	2f-1f
1:	.long	0
	.byte	1
	.asciz	"\augmentation"
	.byte	1, 0x78, 16		# code and data alignment 1 and -8, RA is rip
	.byte	1, 0x1b			# pointers are 4 bytes, relative to themselves
	.byte	0x0c, 7, 8, 0x90, 1	# CFA = rsp+8, rip at CFA-8
	.p2align 2, 0
2:
	.endm
	.macro	fde cie, start, size, program:vararg
	.long	2f-1f
1:	.long	1b-\cie
	.long	\start-.
	.long	\size
	.byte	0, \program
	.p2align 2, 0
2:
	.endm

	.section .eh_frame,"a",@progbits
	cie	usual, zR
	fde	usual, pushes, 0x20, 0x41, 0x0e, 16, 0x86, 3, 0x43, 0x0d, 6	# rbp at CFA-24
	fde	usual, flexible, 0x18, 0x45, 0x0c, 10, 0, 0x4b, 0x0f, 3, 0x76, 0x78, 6, 0x10, 6, 2, 0x76, 0	# ends early
	fde	usual, outermost, 0x10, 0	# has a caller
	fde	usual, wide, 0x120, 0x90, 2, 3, 0, 1, 0x3f	# rip at CFA-16; no such instruction
	cie	signal, zRS
	fde	signal, stubs, 0x30, 0x4b, 0x0e, 24, 0x45, 0x0e, 8, 0x4b, 0x0e, 16, 0x45, 0x0e, 8, 0x4b, 0x0e, 16	# a signal frame; CFA = rsp+24 in the first stub
	.long	0
