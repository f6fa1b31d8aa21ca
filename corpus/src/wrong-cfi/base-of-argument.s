# The CFA counts from rbp, which has an argument.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_offset 6, -16
	movq	%rdi, %rbp
	.cfi_def_cfa_register 6
	call	g
	movl	(%rbp), %eax
	.cfi_def_cfa_register 7
	popq	%rbp
	.cfi_adjust_cfa_offset -8
	.cfi_restore 6
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
