# The handlers of an interpreter stand before a function of it that is called, in one FDE. The address of the first
# handler is taken, and that is no entry. Nor is a handler into the middle of which another one jumps.
	.text
	.globl	setup
	.type	setup, @function
setup:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	leaq	handlers(%rip), %rax
	leaq	middle(%rip), %rcx
	call	enter
	popq	%rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	setup, .-setup

handlers:
	.cfi_startproc
	.cfi_def_cfa_offset 80
	movl	(%rbx), %eax
	addq	$4, %rbx
	jmp	*(%r14,%rax,8)
	.cfi_def_cfa_offset 8
enter:
	subq	$72, %rsp
	.cfi_def_cfa_offset 80
	call	*%rdx
	addq	$72, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc

middle:
	.cfi_startproc
	.cfi_def_cfa_offset 80
	movl	4(%rbx), %eax
1:	addq	$8, %rbx
	jmp	*(%r14,%rax,8)
	.cfi_endproc

	.cfi_startproc
	.cfi_def_cfa_offset 80
	xorl	%eax, %eax
	jmp	1b
	.cfi_endproc
	.section .note.GNU-stack,"",@progbits
