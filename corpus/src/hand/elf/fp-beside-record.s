// CFI for .sframe alone: the CFA's offset and its register change at one place, so that the
// assembler writes the old offset.
	.cfi_sections .sframe
	.globl	frames
	.type	frames, %function
frames:
	.cfi_startproc
	sub	sp, sp, #16
	.cfi_def_cfa_offset 16
	stp	x29, x30, [sp, -16]!
	mov	x29, sp
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	.cfi_def_cfa_offset 32
	.cfi_def_cfa_register 29
	bl	frames
	ldp	x29, x30, [sp], 16
	.cfi_def_cfa 31, 16
	.cfi_restore 29
	.cfi_restore 30
	add	sp, sp, #16
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	frames, .-frames
	.section .note.GNU-stack,"",%progbits
