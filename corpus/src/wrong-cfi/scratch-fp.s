# rbp is one more register for a helper that is called with it, and the CFI says nothing of it.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	movq	92(%rdi), %rbp
	xorq	%rbp, %rax
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
