# A function at a multiple of 8 follows constants and a nop. The constants can be decoded.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	leaq	g(%rip), %rax
	ret
	.cfi_endproc
	.size	f, .-f
	.p2align 4
	.long	0x0f0f0f0f
	.p2align 3
g:
	.cfi_startproc
	leaq	128(%rax), %rcx
	leaq	-64(%rdi,%r8,8), %r8
	ret
	.cfi_endproc
	.section .note.GNU-stack,"",@progbits
