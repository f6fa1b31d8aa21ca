# A part of a function ends where the source says that it is never reached, and the next function,
# whose address is taken, directly follows.
	.text
	.globl	parent
	.type	parent, @function
parent:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	testl	%edi, %edi
	je	parent.cold
	leaq	next(%rip), %rax
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	parent, .-parent

	.type	parent.cold, @function
parent.cold:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	xorl	%edi, %edi
	movl	%edi, %ebx
	.cfi_endproc
	.size	parent.cold, .-parent.cold

	.type	next, @function
next:
	.cfi_startproc
	leal	1(%rdi), %eax
	ret
	.cfi_endproc
	.size	next, .-next
	.section .note.GNU-stack,"",@progbits
