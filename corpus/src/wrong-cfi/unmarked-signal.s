# A signal handler returns there. It is not marked as a signal frame.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	movq	$15, %rax
	syscall
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
