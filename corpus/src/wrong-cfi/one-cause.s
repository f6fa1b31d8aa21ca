# As clang writes it for AArch64 without asynchronous tables: the CFI is right at calls. Six functions
# have another fault each.
	.text
	.macro	begin name
	.globl	\name
	.p2align 2
	.type	\name, %function
\name:
	.cfi_startproc
	.endm
	.macro	end name
	.cfi_endproc
	.size	\name, .-\name
	.endm
	.macro	frame slot=-8
	.cfi_def_cfa w29, 16
	.cfi_offset w30, \slot
	.cfi_offset w29, -16
	.endm

	.macro	calls name
	begin	\name
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	frame
	bl	ext
	ldp	x29, x30, [sp], #16
	ret
	end	\name
	.endm
	calls	one
	calls	two
	calls	three
	calls	four

	begin	on_sp
	sub	sp, sp, #32
	stp	x30, x19, [sp, #16]
	.cfi_def_cfa_offset 32
	.cfi_offset w19, -8
	.cfi_offset w30, -16
	mov	w19, w0
	bl	ext
	add	w0, w0, w19
	ldp	x30, x19, [sp, #16]
	add	sp, sp, #32
	ret
	end	on_sp

	begin	early
	cbz	x0, 1f
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	frame
	bl	ext
	cbz	w0, 2f
	ldp	x29, x30, [sp], #16
	b	ext
2:	ldp	x29, x30, [sp], #16
	ret
1:	cbz	x1, 3f
	mov	w0, #1
3:	ret
	end	early

	begin	no_return
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	frame
	bl	ext
	bl	abort
	end	no_return

	# The slot of x30 is wrong at the call, too.
	begin	wrong_slot
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	frame	-24
	bl	ext
	ldp	x29, x30, [sp], #16
	ret
	end	wrong_slot

	# No directive describes the frame.
	begin	no_frame
	sub	sp, sp, #32
	stp	x0, x1, [sp]
	str	x2, [sp, #16]
	ldr	x0, [sp, #8]
	add	sp, sp, #32
	ret
	end	no_frame

	# The epilogue is described, the prologue is not: one directive is lost.
	begin	lost
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	frame
	bl	ext
	.cfi_def_cfa wsp, 16
	ldp	x29, x30, [sp], #16
	.cfi_def_cfa_offset 0
	.cfi_restore w30
	.cfi_restore w29
	ret
	end	lost

	# There is no frame, and a row for one.
	begin	stray
	add	w0, w0, #1
	.cfi_def_cfa_offset 32
	ret
	end	stray

	# A call without a frame, and a row for one.
	begin	bare_call
	cbz	x0, 1f
	stp	x29, x30, [sp, #-16]!
	mov	x29, sp
	frame
	bl	ext
	ldp	x29, x30, [sp], #16
	ret
1:	bl	abort
	end	bare_call

	# Inline assembly pushes a word.
	begin	pushes
	str	x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset w30, -16
	bl	ext
	sub	sp, sp, #16
	str	x0, [sp]
	add	sp, sp, #16
	ldr	x30, [sp], #16
	ret
	end	pushes

	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section .note.GNU-stack,"",@progbits
