# A section of version 2 for AMD64. The second FRE has no data words: the frame is the outermost one.
	.text
f:
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
.Lend:
	.section .sframe, "a", %0x6ffffff4
	.short	0xdee2		# magic
	.byte	2, 4, 3, 0, -8, 0	# version, PCREL, AMD64, no fixed FP, RA at CFA-8, no auxiliary header
	.long	1, 2, 5, 0, 20	# FDEs, FREs, bytes of FREs, offsets of both
	.long	f-.		# start
	.long	.Lend-f, 0, 2	# size, offset of FREs, number of FREs
	.byte	0, 0, 0, 0
	.byte	0, 3, 8		# +0: CFA = rsp+8
	.byte	4, 1		# +4: no words
