# CFI follows the instructions in the order of addresses, over a return into code that is jumped to with the frame.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	subq	$16, %rsp
	.cfi_adjust_cfa_offset 16
	testl	%edi, %edi
	js	1f
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	ret
1:	movl	%edi, (%rsp)
	addq	$16, %rsp
	.cfi_adjust_cfa_offset -16
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
