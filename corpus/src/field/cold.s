# GCC's part for code that is rarely executed: it starts with the registers that the function has saved.
	.text
	.globl	work
	.type	work, @function
work:
	.cfi_startproc
	push	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov	%rdi, %rbp
	test	%rdi, %rdi
	je	work.cold
	mov	%rbp, %rax
	pop	%rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.section .text.unlikely, "ax", @progbits
	.type	work.cold, @function
work.cold:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov	$-1, %rax
	pop	%rbp
	.cfi_restore %rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	work.cold, .-work.cold
	.text
	.size	work, .-work
	.section .note.GNU-stack, "", @progbits
