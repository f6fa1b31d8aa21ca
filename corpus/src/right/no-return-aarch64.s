// A call of a function that does not return, by a stub of a procedure linkage table, between two ways of a
// function that are not known. Nothing goes on after it.
	.text
	.globl	steps
	.type	steps, %function
steps:
	.cfi_startproc
	stp	x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	cbz	w0, 1f
	tbnz	w0, #31, 2f
	br	x1
1:	ldp	x29, x30, [sp], #32
	.cfi_remember_state
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	ret
2:	.cfi_restore_state
	.cfi_remember_state
	sub	sp, sp, #16
	.cfi_def_cfa_offset 48
	bl	exit
	nop
3:	.cfi_restore_state
	ldp	x29, x30, [sp], #32
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	steps, .-steps
	.section .note.GNU-stack,"",%progbits
