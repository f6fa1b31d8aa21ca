# The CFA counts from rsp after alloca(n), which moves it by another number of bytes each time.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	leaq	23(%rdi), %rax
	andq	$-16, %rax
	subq	%rax, %rsp
	.cfi_adjust_cfa_offset 32
	movq	%rsp, %rdi
	call	g
	leave
	.cfi_adjust_cfa_offset -40
	.cfi_restore 6
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
