# A state is remembered and restored at one place, with a change between.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	nop
	.cfi_remember_state
	.cfi_def_cfa_offset 16
	.cfi_restore_state
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
