# An offset is added to the CFA's after a state is restored.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_remember_state
	.cfi_def_cfa_offset 32
	.cfi_restore_state
	.cfi_adjust_cfa_offset 8
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
