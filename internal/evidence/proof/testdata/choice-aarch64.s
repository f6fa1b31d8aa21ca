// A landing pad that no table of exceptions lists. FP is never the caller's there. amd64.s explains the comments.
	.text
	.globl	choice
	.type	choice, %function
choice:
	.cfi_startproc
	stp	x29, x30, [sp, -48]!	// sp, unchanged, unchanged
	add	x29, sp, 32	// sp+48, unchanged, unchanged
	bl	external	// sp+48, unchanged, *(CFA-48)
	mov	x29, x0	// sp+48, *(CFA-40), *(CFA-48) (weak)
	bl	external	// sp+48, *(CFA-40), *(CFA-48) (weak)
	ldp	x29, x30, [sp], 48	// sp+48, *(CFA-40), *(CFA-48) (weak)
	ret	// sp, unchanged, unchanged (weak)
	mov	x19, x0	// sp+48, *(CFA-40), *(CFA-48) (weak)
	bl	_Unwind_Resume	// sp+48, *(CFA-40), *(CFA-48) (weak)
	.cfi_endproc
	.size	choice, .-choice
	.section .note.GNU-stack,"",@progbits
