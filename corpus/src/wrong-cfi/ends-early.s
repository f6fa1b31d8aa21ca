# The CFI ends before the return.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	movq	%rdi, %rbx
	popq	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_endproc
	ret
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
