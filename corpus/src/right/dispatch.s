# Handlers of an interpreter run in the frame of the function that dispatched to them. One of them calls code
# inside the range, which returns.
	.text
	.globl	setup
	.type	setup, @function
setup:
	.cfi_startproc
	leaq	handlers(%rip), %rax
	ret
	.cfi_endproc
	.size	setup, .-setup

handlers:
	.cfi_startproc
	.cfi_def_cfa_offset 80
	movl	(%rbx), %eax
	addq	$4, %rbx
	testl	%eax, %eax
	js	1f
	jmp	*(%r14,%rax,8)
1:	call	2f
	jmp	3f
2:	.cfi_def_cfa_offset 88
	negl	%eax
	ret
3:	.cfi_def_cfa_offset 80
	jmp	*(%r14)
	.cfi_endproc
	.section .note.GNU-stack,"",@progbits
