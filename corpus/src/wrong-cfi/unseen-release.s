# CFI follows pushes of constants, but not the instructions that reserve and release a frame.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	fldl2e
	subq	$48, %rsp
	pushq	$1
	.cfi_adjust_cfa_offset 8
	pushq	$2
	.cfi_adjust_cfa_offset 8
	addq	$16, %rsp
	addq	$48, %rsp
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
