# FP is restored before the first instruction.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	.cfi_restore 6
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
