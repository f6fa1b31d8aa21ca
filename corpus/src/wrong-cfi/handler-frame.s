# A call that is moved behind the function has the CFA of the return, without the frame of the exception handler.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	leaq	3f(%rip), %r11
	pushq	%r11
	.cfi_adjust_cfa_offset 8
	pushq	16(%r14)
	.cfi_adjust_cfa_offset 8
	movq	%rsp, 16(%r14)
1:	subq	$16, %r15
	cmpq	(%r14), %r15
	jb	2f
	popq	16(%r14)
	.cfi_adjust_cfa_offset -8
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
3:	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_adjust_cfa_offset 8
2:	call	g
	jmp	1b
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
