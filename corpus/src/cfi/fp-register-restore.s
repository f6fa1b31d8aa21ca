# rbp is in rbx and, at the same place, as at the beginning.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	.cfi_register 6, 3
	.cfi_restore 6
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
