# rbp is saved, and then its value is the caller's again.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	nop
	.cfi_offset 6, -16
	nop
	.cfi_same_value 6
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
