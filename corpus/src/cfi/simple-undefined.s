# Without rules of the CIE, the return address is undefined.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc simple
	.cfi_undefined 16
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
