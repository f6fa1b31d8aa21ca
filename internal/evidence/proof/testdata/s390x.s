# Idioms of s390x code, with the rules before each instruction as in amd64.s.
	.text
	.globl	rotates
# The second byte of risbgz looks like the length of a store, and %r3 like its base.
	.type	rotates, @function
rotates:
	.cfi_startproc
	stmg	%r11, %r15, 88(%r15)	# r15+160, unchanged, unchanged
	.cfi_offset %r14, -48
	lay	%r15, -304(%r15)	# r15+160, unchanged, unchanged
	.cfi_def_cfa_offset 464
	la	%r3, 192(%r15)	# r15+464, unchanged, unchanged
	lgdr	%r9, %f8	# r15+464, unchanged, unchanged
	risbgz	%r9, %r9, 48, 63, 32	# r15+464, unchanged, unchanged
	brasl	%r14, external@PLT	# r15+464, unchanged, unchanged
	xc	160(160, %r15), 160(%r15)	# r15+464, *(CFA-48), unchanged (weak)
	lmg	%r11, %r15, 392(%r15)	# r15+464, *(CFA-48), unchanged (weak)
	.cfi_def_cfa_offset 160
	br	%r14	# r15+160, unchanged, unchanged (weak)
	.cfi_endproc
	.size	rotates, .-rotates
