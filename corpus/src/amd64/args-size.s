# The second of three functions pushes an argument for a call: DW_CFA_GNU_args_size.
	.text
	.globl	first, second, third
	.type	first, @function
first:
	.cfi_startproc
	ret
	.cfi_endproc
	.size	first, .-first
	.type	second, @function
second:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	pushq	$7
	.cfi_escape 0x2e, 0x8
	call	first
	.cfi_escape 0x2e, 0
	leave
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
	.size	second, .-second
	.type	third, @function
third:
	.cfi_startproc
	ret
	.cfi_endproc
	.size	third, .-third
	.section .note.GNU-stack,"",@progbits
