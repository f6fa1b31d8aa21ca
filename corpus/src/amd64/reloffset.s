# A frame pointer that is saved at an offset from rsp: at CFA-40.
	.text
	.globl	scratch
	.type	scratch, @function
scratch:
	.cfi_startproc
	subq	$136, %rsp
	.cfi_adjust_cfa_offset 136
	movq	%rbp, 104(%rsp)
	.cfi_rel_offset %rbp, 104
	xorl	%ebp, %ebp
	movq	104(%rsp), %rbp
	.cfi_restore %rbp
	addq	$136, %rsp
	.cfi_adjust_cfa_offset -136
	ret
	.cfi_endproc
	.size	scratch, .-scratch
	.section .note.GNU-stack,"",@progbits
