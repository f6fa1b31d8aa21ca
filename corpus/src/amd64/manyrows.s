# One function of more than 65535 rows, the most that an FDE of version 3 can count. The
# .eh_frame of it would be far larger than the code and is not asked for.
	.cfi_sections .sframe
	.text
	.globl	manyrows
	.type	manyrows, @function
manyrows:
	.cfi_startproc
	.rept	32768
	nop
	.cfi_def_cfa_offset 16
	nop
	.cfi_def_cfa_offset 8
	.endr
	ret
	.cfi_endproc
	.size	manyrows, .-manyrows

	.globl	fewrows
	.type	fewrows, @function
fewrows:
	.cfi_startproc
	ret
	.cfi_endproc
	.size	fewrows, .-fewrows
	.section .note.GNU-stack,"",@progbits
