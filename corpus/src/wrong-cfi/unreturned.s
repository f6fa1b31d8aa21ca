# Nothing calls the function, and it does not return. The CFI misses the sub.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	subq	$24, %rsp
	xorl	%eax, %eax
	call	die
	ud2
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
