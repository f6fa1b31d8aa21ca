# No push: rbp is not saved, and the slot is above the CFA.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	movl	(%rsi), %eax
	.cfi_offset 6, 16
	.cfi_def_cfa_register 6
	movl	%eax, (%rdi)
	.cfi_def_cfa_register 7
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
