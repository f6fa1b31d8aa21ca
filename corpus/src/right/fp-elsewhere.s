# Assembly whose frame pointer does not point to the caller's, but to the end of the frame, or to a block in it.
	.text
	.globl	below
	.type	below, @function
below:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	subq	$64, %rsp
	.cfi_def_cfa_offset 80
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	call	block
	leaq	64(%rbp), %rsp
	.cfi_def_cfa 7, 16
	popq	%rbp
	.cfi_restore 6
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	below, .-below
	.globl	block
	.type	block, @function
block:
	.cfi_startproc
	subq	$40, %rsp
	.cfi_def_cfa_offset 48
	leaq	8(%rsp), %rax
	movq	%rbp, 16(%rax)
	.cfi_offset 6, -24
	movq	%rax, %rbp
	.cfi_def_cfa 6, 40
	call	below
	leaq	32(%rbp), %rsp
	.cfi_def_cfa 7, 8
	movq	16(%rbp), %rbp
	.cfi_restore 6
	ret
	.cfi_endproc
	.size	block, .-block
	.section .note.GNU-stack,"",@progbits
