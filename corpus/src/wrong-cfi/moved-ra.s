# The return address is popped into memory, and the next call overwrites its slot.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	popq	64(%rdi)
	.cfi_adjust_cfa_offset -8
	movq	%rbx, 80(%rdi)
	movq	%rdi, %rbx
	call	g
	pushq	64(%rbx)
	.cfi_adjust_cfa_offset 8
	movq	80(%rbx), %rbx
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
