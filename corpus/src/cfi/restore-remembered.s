# rbp is restored to its rule of the beginning, and a state was remembered there.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	.cfi_remember_state
	.cfi_offset 6, -16
	nop
	.cfi_restore 6
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
