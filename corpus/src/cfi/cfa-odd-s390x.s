# The offset of the CFA is not a multiple of 8.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	nopr	%r0
	.cfi_def_cfa_offset 164
	nopr	%r0
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
