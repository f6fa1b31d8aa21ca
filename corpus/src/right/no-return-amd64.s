# A call of a function that does not return, by a stub of a procedure linkage table or directly, between two ways of a
# function that are not known. Nothing goes on after it.
	.text
	.globl	steps
	.type	steps, @function
steps:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	testl	%edi, %edi
	je	1f
	js	2f
	jmp	*%rsi
1:	addq	$24, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	ret
2:	.cfi_restore_state
	.cfi_remember_state
	pushq	%rdi
	.cfi_def_cfa_offset 40
	pushq	%rsi
	.cfi_def_cfa_offset 48
	call	exit@PLT
	.p2align 4
3:	.cfi_restore_state
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	steps, .-steps

	.globl	direct
	.type	direct, @function
direct:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	testl	%edi, %edi
	je	1f
	js	2f
	jmp	*%rsi
1:	addq	$24, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	ret
2:	.cfi_restore_state
	.cfi_remember_state
	pushq	%rdi
	.cfi_def_cfa_offset 40
	pushq	%rsi
	.cfi_def_cfa_offset 48
	call	*exit@GOTPCREL(%rip)
	.p2align 4
3:	.cfi_restore_state
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	direct, .-direct
	.section .note.GNU-stack,"",@progbits
