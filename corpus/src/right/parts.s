# Two FDEs describe the parts of a function, as those of clone in glibc.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	testq	%rdi, %rdi
	js	1f
	movl	$39, %eax
	syscall
	ret
	.cfi_endproc
	.cfi_startproc
1:	negl	%eax
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
