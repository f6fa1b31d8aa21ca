# A case of a switch that cannot be is an empty block, as clang writes __builtin_unreachable: the entry of the table leads to
# what follows it, here the end of the function that a branch at its start leads to.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	cmpq	%fs:0x70, %rsp
	jbe	3f
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	movzbl	%dil, %ecx
	leaq	4f(%rip), %rdx
	movslq	(%rdx,%rcx,4), %rcx
	addq	%rdx, %rcx
	jmp	*%rcx
1:	call	5f			# no certificate is made of code that finds its own address
5:	.cfi_adjust_cfa_offset 8
	popq	%rax
	.cfi_adjust_cfa_offset -8
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
2:	.cfi_def_cfa_offset 16
	xorl	%eax, %eax
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
3:	.cfi_restore 3
	movl	$8, %r10d
	movl	$0, %r11d
	call	__morestack
	ret
	.cfi_endproc
	.size	f, .-f
	.section .rodata,"a",@progbits
	.p2align 2
4:	.long	1b-4b
	.long	3b-4b
	.long	2b-4b
	.section .note.GNU-stack,"",@progbits
