# The return address is in rdx during a system call, and the CFI still finds it below SP.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	popq	%rdx
	.cfi_adjust_cfa_offset -8
	movl	$58, %eax
	syscall
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	movq	%rax, %rdi
	jmp	g
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
