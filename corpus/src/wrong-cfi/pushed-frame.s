// The stub that jumps here has pushed x16 and x30: the CFA is sp + 16. The CFI has only the slot of x30.
	.text
	.globl	f
	.type	f, %function
f:
	.cfi_startproc
	.cfi_rel_offset x30, 8
	stp	x0, x1, [sp, #-208]!
	.cfi_adjust_cfa_offset 208
	bl	g
	mov	x16, x0
	ldp	x0, x1, [sp], #208
	.cfi_adjust_cfa_offset -208
	ldp	x17, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	br	x16
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",%progbits
