# A state is remembered, restored and remembered before anything changes.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	.cfi_remember_state
	nop
	.cfi_restore_state
	.cfi_remember_state
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
