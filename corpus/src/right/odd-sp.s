# LLVM lowers SP by 4 for a word in a function that calls nothing.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	subq	$4, %rsp
	.cfi_def_cfa_offset 12
	movl	%esi, (%rsp)
	movl	(%rsp), %eax
	addq	$4, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
