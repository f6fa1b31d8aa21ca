# The return address is 264 bytes below the CFA.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	.cfi_offset 16, -264
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
