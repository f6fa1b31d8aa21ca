// Frames the default FDE type cannot state. Versions 1 and 2 leave these functions out.
	.text
// A trampoline keeps the return address in x16.
	.globl	return_in_x16
	.type	return_in_x16, %function
return_in_x16:
	.cfi_startproc
	mov	x16, x30
	.cfi_register x30, x16
	bl	plain
	mov	x30, x16
	.cfi_restore x30
	ret
	.cfi_endproc
	.size	return_in_x16, .-return_in_x16

// The CFA rests on x19.
	.globl	based_on_x19
	.type	based_on_x19, %function
based_on_x19:
	.cfi_startproc
	stp	x19, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x19, -16
	.cfi_offset x30, -8
	mov	x19, sp
	.cfi_def_cfa_register x19
	sub	sp, sp, x0
	bl	plain
	mov	sp, x19
	.cfi_def_cfa_register sp
	ldp	x19, x30, [sp], 16
	.cfi_restore x30
	.cfi_restore x19
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	based_on_x19, .-based_on_x19

// Only the frame pointer is saved: there is no place for it without one for x30.
	.globl	only_x29
	.type	only_x29, %function
only_x29:
	.cfi_startproc
	str	x29, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	mov	x29, xzr
	ldr	x29, [sp], 16
	.cfi_restore x29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	only_x29, .-only_x29

// Only the return address is saved.
	.globl	only_x30
	.type	only_x30, %function
only_x30:
	.cfi_startproc
	str	x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x30, -16
	bl	plain
	ldr	x30, [sp], 16
	.cfi_restore x30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	only_x30, .-only_x30

// The frame is described by expressions.
	.globl	by_expression
	.type	by_expression, %function
by_expression:
	.cfi_startproc
	.cfi_escape 0x0f,0x03,0x8d,0x78,0x06		// CFA = *(x29-8)
	.cfi_escape 0x10,0x1d,0x02,0x8d,0x00		// x29 at x29+0
	nop
	ret
	.cfi_endproc
	.size	by_expression, .-by_expression

	.type	plain, %function
plain:
	.cfi_startproc
	ret
	.cfi_endproc
	.size	plain, .-plain
	.section .note.GNU-stack,"",%progbits
