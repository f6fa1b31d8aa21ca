# rbp is saved at the place that rsp points to.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 16
	.cfi_rel_offset 6, 0
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
