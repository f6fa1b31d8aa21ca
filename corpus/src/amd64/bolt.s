# A program with a branch that is longer than it need be, which BOLT shortens.
	.text
	.globl	_start
	.type	_start, @function
_start:
	.cfi_startproc
	.cfi_undefined %rip
	xorl	%ebp, %ebp
	movl	$7, %edi
	call	sum
	movl	%eax, %edi
	movl	$60, %eax
	syscall
	hlt
	.cfi_endproc
	.size	_start, .-_start

	.globl	sum
	.type	sum, @function
sum:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	pushq	%rbx
	.cfi_offset %rbx, -24
	subq	$8, %rsp
	movl	%edi, %ebx
	testl	%edi, %edi
	{disp32} je	1f
	leal	-1(%rdi), %edi
	call	sum
	addl	%eax, %ebx
1:
	movl	%ebx, %eax
	addq	$8, %rsp
	popq	%rbx
	popq	%rbp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	sum, .-sum
	.section .note.GNU-stack,"",@progbits
