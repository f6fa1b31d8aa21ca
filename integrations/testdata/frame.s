	.text
	.globl	frame
	.type	frame, @function
frame:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 24	# 16 is right
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	leaq	(%rdi,%rdi), %rax
	popq	%rbp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	frame, .-frame
	.section	.note.GNU-stack,"",@progbits
