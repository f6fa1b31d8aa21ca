# The offset and then the register of the CFA change at one place.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	nopr	%r0
	.cfi_def_cfa_offset 176
	.cfi_def_cfa_register 11
	nopr	%r0
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
