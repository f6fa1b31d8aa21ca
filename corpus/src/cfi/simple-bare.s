# Without rules of the CIE, no CFA is defined.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc simple
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
