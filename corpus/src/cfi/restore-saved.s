# FP is saved before the first instruction, and restored to the rule of the CIE.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	.cfi_offset 6, -16
	nop
	.cfi_restore 6
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
