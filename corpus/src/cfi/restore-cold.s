# rbp is saved where the second function starts, as in a .cold part, and restored.
	.text
	.type	e, @function
e:
	.cfi_startproc
	nop
	.cfi_endproc
	.size	e, .-e
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	nop
	.cfi_restore 6
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
