# A frame, and no CFI between start and end.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	endbr64
	pushq	%rbp
	movq	%rsp, %rbp
	subq	$136, %rsp
	andq	$-64, %rsp
	movq	%rdi, (%rsp)
	movq	%rbp, %rsp
	popq	%rbp
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
