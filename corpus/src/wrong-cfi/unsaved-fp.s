# The CFA counts from rbp, and no directive says that rbp is saved.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	pushq	(%r12)
	callq	*%rax
	movq	%rbp, %rsp
	.cfi_def_cfa_register 7
	popq	%rbp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
