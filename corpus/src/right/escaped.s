# The callee gets the address of a word in the frame, and may put another address there: what is stored through it need not
# be in the frame.
	.text
	.globl	escaped
	.type	escaped, @function
escaped:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	subq	$48, %rsp
	.cfi_def_cfa_offset 64
	movq	%rsi, %rbp
	leaq	16(%rsp), %rcx
	movq	%rcx, 8(%rsp)
	leaq	8(%rsp), %rdi
	call	grow
	movq	8(%rsp), %rcx
	movq	%r12, 32(%rcx)
	movq	%rbp, %rax
	addq	$48, %rsp
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_restore %rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	escaped, .-escaped

# The last byte of cmove is that of a return.
	.globl	moves
	.type	moves, @function
moves:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	cmpl	$1, %edi
	jne	1f
	popq	%rbx
	.cfi_remember_state
	.cfi_restore %rbx
	.cfi_def_cfa_offset 8
	ret
1:
	.cfi_restore_state
	call	abort@PLT
	cmoveq	%rbx, %rcx
	cmoveq	%rbx, %rax
	.cfi_endproc
	.size	moves, .-moves
