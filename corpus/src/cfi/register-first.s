# The register of the CFA changes before anything else.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	.cfi_def_cfa_register 6
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
