# Code saves rbp in its frame, as x86_64-gf2m.s of OpenSSL does.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	subq	$136, %rsp
	.cfi_adjust_cfa_offset 136
	movq	%rbp, 104(%rsp)
	.cfi_rel_offset %rbp, 104
	movq	%rdi, %rbp
	call	g
	movq	104(%rsp), %rbp
	.cfi_restore %rbp
	addq	$136, %rsp
	.cfi_adjust_cfa_offset -136
	ret
	.cfi_endproc
	.size	f, .-f
