# A landing pad: r6 and r7 have the exception. amd64.s explains the comments.
	.text
	.globl	throws
	.type	throws, @function
throws:
	.cfi_startproc
	.cfi_personality 0x9b, DW.ref.__gxx_personality_v0
	.cfi_lsda 0x1b, .Lthrows
	stmg	%r11, %r15, 88(%r15)	# r15+160, unchanged, unchanged
	lay	%r15, -160(%r15)	# r15+160, unchanged, unchanged
	lgr	%r11, %r6	# r15+320, unchanged, unchanged
.Lt0:	brasl	%r14, external@PLT	# r15+320, unchanged, *(CFA-72)
.Lt1:	lmg	%r11, %r15, 248(%r15)	# r15+320, *(CFA-48), *(CFA-72) (weak)
	br	%r14	# r15+160, unchanged, unchanged (weak)
.Lt2:	lgr	%r2, %r6	# r15+320, *(CFA-48), *(CFA-72)
	lgr	%r11, %r6	# r15+320, *(CFA-48), *(CFA-72)
	lmg	%r12, %r15, 256(%r15)	# r15+320, *(CFA-48), *(CFA-72)
	lgr	%r11, %r7	# r15+160, unchanged, *(CFA-72)
	br	%r14	# r15+160, unchanged, *(CFA-72)
	.cfi_endproc
	.size	throws, .-throws
	.section .gcc_except_table,"a",@progbits
.Lthrows:
	.ascii	"\377\377\001"	# LPStart and types omitted, uleb128
	.uleb128 9f-8f
8:	.uleb128 .Lt0-throws, .Lt1-.Lt0, .Lt2-throws, 0
9:
