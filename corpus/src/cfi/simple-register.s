# FP is in a register where no CFA is defined.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc simple
	.cfi_register 6, 3
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
