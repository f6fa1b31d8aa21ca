# CFI with the wrong sign at an epilogue, as hand-written assembly has it.
	.text
	.globl	squares
	.type	squares, @function
squares:
	.cfi_startproc
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_offset %rbx, -16
	subq	$24, %rsp
	.cfi_adjust_cfa_offset 24
	movq	24(%rsp), %rbx
	.cfi_restore %rbx
	addq	$32, %rsp
	.cfi_adjust_cfa_offset 32
	ret
	.cfi_endproc
	.size	squares, .-squares
	.section .note.GNU-stack,"",@progbits
