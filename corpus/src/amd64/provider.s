# The functions a shared object exports. "provided" calls "other" through its own PLT.
	.text
	.globl	provided
	.type	provided, @function
provided:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	call	other@PLT
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	provided, .-provided

	.globl	taken
	.type	taken, @function
taken:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	popq	%rbp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	taken, .-taken

	.globl	other
	.type	other, @function
other:
	.cfi_startproc
	xorl	%eax, %eax
	ret
	.cfi_endproc
	.size	other, .-other
	.section .note.GNU-stack,"",@progbits
