// The ordinary shapes of an AArch64 function, with a symbol of every binding.
	.text

// A leaf: nothing moves, CFA = sp+0 and the return address stays in x30.
	.globl	leaf
	.type	leaf, %function
leaf:
	.cfi_startproc
	add	w0, w0, w1
	ret
	.cfi_endproc
	.size	leaf, .-leaf

// A frame record, with the CFA on sp.
	.globl	recorded
	.type	recorded, %function
recorded:
	.cfi_startproc
	stp	x29, x30, [sp, -32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	mov	x29, sp
	str	x19, [sp, 16]
	.cfi_offset x19, -16
	bl	leaf
	ldr	x19, [sp, 16]
	ldp	x29, x30, [sp], 32
	.cfi_restore x30
	.cfi_restore x29
	.cfi_restore x19
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	recorded, .-recorded

// A frame record, with the CFA on x29 (as after alloca).
	.type	framed, %function
framed:
	.cfi_startproc
	stp	x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov	x29, sp
	.cfi_def_cfa_register x29
	sub	sp, sp, x0
	bl	recorded
	mov	sp, x29
	.cfi_def_cfa_register sp
	ldp	x29, x30, [sp], 16
	.cfi_restore x30
	.cfi_restore x29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	framed, .-framed

// Stack without a frame record: neither x30 nor x29 is saved.
	.weak	scratch
	.type	scratch, %function
scratch:
	.cfi_startproc
	sub	sp, sp, #64
	.cfi_def_cfa_offset 64
	str	x0, [sp]
	add	sp, sp, #64
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	scratch, .-scratch

// Frames that one byte, and two bytes, cannot measure.
	.globl	roomy
	.type	roomy, %function
roomy:
	.cfi_startproc
	stp	x29, x30, [sp, -512]!
	.cfi_def_cfa_offset 512
	.cfi_offset x29, -512
	.cfi_offset x30, -504
	bl	framed
	ldp	x29, x30, [sp]
	.cfi_restore x30
	.cfi_restore x29
	add	sp, sp, #512
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	roomy, .-roomy

	.globl	vast
	.hidden	vast
	.type	vast, %function
vast:
	.cfi_startproc
	sub	sp, sp, #0x20, lsl #12
	.cfi_def_cfa_offset 131072
	stp	x29, x30, [sp]
	.cfi_offset x29, -131072
	.cfi_offset x30, -131064
	bl	roomy
	ldp	x29, x30, [sp]
	.cfi_restore x29
	.cfi_restore x30
	add	sp, sp, #0x20, lsl #12
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	vast, .-vast
	.section .note.GNU-stack,"",%progbits
