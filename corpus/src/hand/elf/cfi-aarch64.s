// After text-aarch64.s: an .eh_frame by which the return addresses of leaf are not
// signed at first, and then with key A.
	.section .eh_frame,"a",%progbits
cie:	.long	2f-1f
1:	.long	0
	.byte	1
	.asciz	"zR"
	.byte	4, 0x78, 30		// code and data alignment 4 and -8, RA is x30
	.byte	1, 0x1b			// pointers are 4 bytes, relative to themselves
	.byte	0x0c, 31, 0		// CFA = sp
	.p2align 2, 0
2:	.long	4f-3f
3:	.long	3b-cie
	.long	leaf-.
	.long	0x10
	.byte	0, 0x42, 0x0e, 16, 0x9e, 1, 0x9d, 2, 0x2d
	.p2align 2, 0
4:	.long	0
