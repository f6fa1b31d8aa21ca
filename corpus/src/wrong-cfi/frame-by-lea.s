# lea reserves a frame, and the CFI does not follow it.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	leaq	-168(%rsp), %rsp
	movq	%rdi, (%rsp)
	leaq	168(%rsp), %rsp
	popq	%rbx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
