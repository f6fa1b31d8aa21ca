# clang 14 for AArch64: the CFI is right at calls, and the last row holds at the return, too.
	.text
	.globl	f
	.type	f, %function
f:
	.cfi_startproc
	cbz	x1, 1f
	stp	x29, x30, [sp, #-32]!
	str	x19, [sp, #16]
	mov	x29, sp
	.cfi_def_cfa w29, 32
	.cfi_offset w19, -16
	.cfi_offset w30, -24
	.cfi_offset w29, -32
	mov	x19, x0
	bl	f
	ldr	x19, [sp, #16]
	ldp	x29, x30, [sp], #32
1:	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
