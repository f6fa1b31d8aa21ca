# The CFI ends before a system call that may return in a child with another stack, as clone does: the
# directives cannot describe both.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	movq	%rdi, -8(%rsi)
	subq	$16, %rsi
	movl	$56, %eax
	.cfi_endproc
	syscall
	testq	%rax, %rax
	je	1f
	ret
1:	xorl	%ebp, %ebp
	popq	%rax
	popq	%rdi
	call	*%rax
	movl	$60, %eax
	syscall
	.size	f, .-f
	.globl	g
	.type	g, @function
g:
	.cfi_startproc
	ret
	.cfi_endproc
	.size	g, .-g
	.section .note.GNU-stack,"",@progbits
