# As wrong-rows-amd64.s, for AArch64.
	.text
	.globl	at_label
	.type	at_label, %function
at_label:
	.cfi_startproc
	stp	x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	bl	other
	cbz	w0, 2f
	bl	outside
2:
	.cfi_def_cfa_offset 0		// sp+32
	.cfi_restore x29
	.cfi_restore x30
	ldp	x29, x30, [sp], #32
	ret
	.cfi_endproc
	.size	at_label, .-at_label

	.globl	tail_jump
	.type	tail_jump, %function
tail_jump:
	.cfi_startproc
	cbnz	x1, 2f
	ldr	x2, [x0, #8]
	br	x2
2:
	stp	x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	bl	outside
	.cfi_def_cfa_offset 0		// sp+16
	.cfi_restore x29
	.cfi_restore x30
	ldp	x29, x30, [sp], #16
	ret
	.cfi_endproc
	.size	tail_jump, .-tail_jump

	.globl	after_local
	.type	after_local, %function
after_local:
	.cfi_startproc
	stp	x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov	x29, sp
	cbnz	w1, 2f
	sub	sp, sp, #32
	.cfi_def_cfa_offset 48
	bl	other
	.cfi_def_cfa_offset 16		// x29+16: sp+48 on this path
2:
	nop
	mov	sp, x29
	ldp	x29, x30, [sp], #16
	.cfi_def_cfa_offset 0
	.cfi_restore x29
	.cfi_restore x30
	ret
	.cfi_endproc
	.size	after_local, .-after_local

	.globl	probes
	.type	probes, %function
probes:
	.cfi_startproc
	sub	x9, sp, #16, lsl #12
2:
	sub	sp, sp, #1, lsl #12	// x9+65536
	str	xzr, [sp]
	cmp	sp, x9
	b.ne	2b
	.cfi_def_cfa_offset 65536
	add	sp, sp, #16, lsl #12
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	probes, .-probes

	.type	shared, %function
shared:					// strict and lax lead here, whose addresses are made side by side
	.cfi_startproc
	stp	x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	bl	outside
	.cfi_def_cfa_offset 0		// sp+16
	.cfi_restore x29
	.cfi_restore x30
	ldp	x29, x30, [sp], #16
	ret
	.cfi_endproc
	.size	shared, .-shared

	.type	strict, %function
strict:
	.cfi_startproc
	mov	w1, #1
	b	shared
	.cfi_endproc
	.size	strict, .-strict

	.type	lax, %function
lax:
	.cfi_startproc
	mov	w1, #0
	b	shared
	.cfi_endproc
	.size	lax, .-lax

	.globl	choose
	.type	choose, %function
choose:
	.cfi_startproc
	adrp	x1, strict
	adrp	x2, lax
	cmp	w0, #0
	add	x1, x1, :lo12:strict
	add	x2, x2, :lo12:lax
	csel	x0, x1, x2, eq
	ret
	.cfi_endproc
	.size	choose, .-choose

	.type	other, %function
other:
	.cfi_startproc
	add	w0, w0, #1
	ret
	.cfi_endproc
	.size	other, .-other
