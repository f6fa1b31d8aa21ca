# Behind text-amd64.s: another section of the type, without a function, that nothing merges.
	.section .sframe.more,"a",@0x6ffffff4
	.p2align 3
	.long	0x0403dee2, 0x00f80003, 0, 0, 0, 0, 0
