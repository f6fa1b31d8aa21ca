# A resolver that stubs enter with two more words on the stack, as the dynamic linker's: its address is taken.
	.text
	.globl	setup
	.type	setup, @function
setup:
	.cfi_startproc
	leaq	resolver(%rip), %rax
	ret
	.cfi_endproc
	.size	setup, .-setup

	.type	resolver, @function
resolver:
	.cfi_startproc
	.cfi_def_cfa_offset 24
	pushq	%rbx
	.cfi_def_cfa_offset 32
	.cfi_offset 3, -32
	movq	16(%rsp), %rdi
	call	setup
	popq	%rbx
	.cfi_def_cfa_offset 24
	addq	$16, %rsp
	.cfi_def_cfa_offset 8
	jmp	*%rax
	.cfi_endproc
	.size	resolver, .-resolver
	.section .note.GNU-stack,"",@progbits
