// Computed gotos whose table is in a word of the stack. amd64.s explains the comments.
	.text
	.globl	spilled, halves
	.type	spilled, @function
spilled:				// the table is stored
	.cfi_startproc
	stp	x29, x30, [sp, -32]!	// sp, unchanged, unchanged
	adrp	x0, .Lspilled	// sp+32, unchanged, unchanged
	add	x0, x0, :lo12:.Lspilled	// sp+32, unchanged, unchanged
	str	x0, [sp, 16]	// sp+32, unchanged, unchanged
	bl	external	// sp+32, unchanged, unchanged
	ldr	x1, [sp, 16]	// sp+32, *(CFA-24), unchanged (weak)
	ldr	x0, [x1, w0, sxtw 3]	// sp+32, *(CFA-24), unchanged (weak)
	br	x0	// sp+32, *(CFA-24), unchanged (weak)
1:	ldr	x1, [sp, 16]	// sp+32, *(CFA-24), unchanged (weak)
	ldr	x0, [x1, x2, lsl 3]	// sp+32, *(CFA-24), unchanged (weak)
	br	x0	// sp+32, *(CFA-24), unchanged (weak)
3:	ldp	x29, x30, [sp], 32	// sp+32, *(CFA-24), unchanged (weak)
	ret	// sp, unchanged, unchanged (weak)
	.cfi_endproc
	.size	spilled, .-spilled

	.type	halves, @function
halves:					// a table of distances, which is stored
	.cfi_startproc
	sub	sp, sp, 16	// sp, unchanged, unchanged
	adrp	x1, .Lhalves	// sp+16, unchanged, unchanged
	add	x1, x1, :lo12:.Lhalves	// sp+16, unchanged, unchanged
	str	x1, [sp, 8]	// sp+16, unchanged, unchanged
	cmp	w0, 1	// sp+16, unchanged, unchanged
	b.hi	5f	// sp+16, unchanged, unchanged
	ldr	x1, [sp, 8]	// sp+16, unchanged, unchanged
	ldrh	w0, [x1, w0, uxtw 1]	// sp+16, unchanged, unchanged
	adr	x1, 4f	// sp+16, unchanged, unchanged
	add	x0, x1, w0, sxth 2	// sp+16, unchanged, unchanged
	br	x0	// sp+16, unchanged, unchanged
4:	add	sp, sp, 16	// sp+16, unchanged, unchanged
	ret	// sp, unchanged, unchanged
5:	add	sp, sp, 16	// sp+16, unchanged, unchanged
	ret	// sp, unchanged, unchanged
	.cfi_endproc
	.size	halves, .-halves
	.section .data.rel.ro,"aw"
	.balign	8
.Lspilled:
	.xword	1b, 3b, 0
	.section .rodata,"a"
.Lhalves:
	.2byte	(4b-4b)/4, (5b-4b)/4
