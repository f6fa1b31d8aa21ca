# A state is restored where FP is said to be saved.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_remember_state
	.cfi_def_cfa_offset 24
	nop
	.cfi_offset 6, -16
	.cfi_restore_state
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
