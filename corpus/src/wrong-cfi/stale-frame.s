// GCC 12's epilogue of a frame of more than 512 bytes: ldp restores x29, and the CFI still counts
// the CFA from it.
	.text
	.globl	f
	.type	f, %function
f:
	.cfi_startproc
	sub	sp, sp, #592
	.cfi_def_cfa_offset 592
	stp	x29, x30, [sp]
	.cfi_offset 29, -592
	.cfi_offset 30, -584
	mov	x29, sp
	.cfi_def_cfa_register 29
	bl	g
	ldp	x29, x30, [sp]
	.cfi_restore 29
	.cfi_restore 30
	add	sp, sp, #592
	.cfi_def_cfa 31, 0
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",%progbits
