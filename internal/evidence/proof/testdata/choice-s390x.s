# A landing pad that no table of exceptions lists. FP is never the caller's there. amd64.s explains the comments.
	.text
	.globl	choice
	.type	choice, @function
choice:
	.cfi_startproc
	stmg	%r11, %r15, 88(%r15)	# r15+160, unchanged, unchanged
	lay	%r15, -176(%r15)	# r15+160, unchanged, unchanged
	la	%r11, 160(%r15)	# r15+336, unchanged, unchanged
	brasl	%r14, external@PLT	# r15+336, unchanged, *(CFA-72)
	lgr	%r11, %r2	# r15+336, *(CFA-48), *(CFA-72) (weak)
	brasl	%r14, external@PLT	# r15+336, *(CFA-48), *(CFA-72) (weak)
	lmg	%r11, %r15, 264(%r15)	# r15+336, *(CFA-48), *(CFA-72) (weak)
	br	%r14	# r15+160, unchanged, unchanged (weak)
	lgr	%r2, %r6	# r15+336, *(CFA-48), *(CFA-72) (weak)
	brasl	%r14, _Unwind_Resume@PLT	# r15+336, *(CFA-48), *(CFA-72) (weak)
	.cfi_endproc
	.size	choice, .-choice
	.section .note.GNU-stack,"",@progbits
