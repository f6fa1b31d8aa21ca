# No CFA is defined where FP is saved.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc simple
	nop
	.cfi_offset 6, -16
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
