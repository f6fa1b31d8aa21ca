# CFI for .sframe alone: the CFA's offset and its register change at one place, so that the
# assembler writes the old offset.
	.cfi_sections .sframe
	.globl	frames
	.type	frames, @function
frames:
	.cfi_startproc
	pushq	%rbp
	.cfi_offset 6, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_offset 16
	.cfi_def_cfa_register 6
	nop
	popq	%rbp
	.cfi_def_cfa 7, 8
	.cfi_restore 6
	ret
	.cfi_endproc
	.size	frames, .-frames
	.section .note.GNU-stack,"",@progbits
