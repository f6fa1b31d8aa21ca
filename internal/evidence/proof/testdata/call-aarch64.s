// A way with a call, after which x30 has another value, and one without lead to the nop.
	.text
	.globl	joined
	.type	joined, %function
joined:
	.cfi_startproc
	stp	x29, x30, [sp, -16]!	// sp, unchanged, unchanged
	cbz	w0, 1f	// sp+16, unchanged, unchanged
	bl	external	// sp+16, unchanged, unchanged
1:	nop	// sp+16, *(CFA-8), unchanged
	ldp	x29, x30, [sp], 16	// sp+16, *(CFA-8), unchanged
	ret	// sp, unchanged, unchanged
	.cfi_endproc
	.size	joined, .-joined
