# A way with a call, after which r14 has another value, and one without lead to the nop.
	.text
	.globl	joined
	.type	joined, @function
joined:
	.cfi_startproc
	stmg	%r14, %r15, 112(%r15)	# r15+160, unchanged, unchanged
	lay	%r15, -160(%r15)	# r15+160, unchanged, unchanged
	cije	%r2, 0, 1f	# r15+320, unchanged, unchanged
	brasl	%r14, external	# r15+320, unchanged, unchanged
1:	nopr	# r15+320, *(CFA-48), unchanged
	lmg	%r14, %r15, 272(%r15)	# r15+320, *(CFA-48), unchanged
	br	%r14	# r15+160, unchanged, unchanged
	.cfi_endproc
	.size	joined, .-joined
