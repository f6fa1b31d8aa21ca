// Return addresses signed with key A, with key B, and signed in one arm only.
	.text
	.globl	signed_a
	.type	signed_a, %function
signed_a:
	.cfi_startproc
	hint	25			// paciasp
	.cfi_negate_ra_state
	stp	x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov	x29, sp
	bl	signed_b
	ldp	x29, x30, [sp], 16
	.cfi_restore x30
	.cfi_restore x29
	.cfi_def_cfa_offset 0
	hint	29			// autiasp
	.cfi_negate_ra_state
	ret
	.cfi_endproc
	.size	signed_a, .-signed_a

	.globl	signed_b
	.type	signed_b, %function
signed_b:
	.cfi_startproc
	.cfi_b_key_frame
	hint	27			// pacibsp
	.cfi_negate_ra_state
	stp	x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	bl	leaf_signed
	ldp	x29, x30, [sp], 16
	.cfi_restore x30
	.cfi_restore x29
	.cfi_def_cfa_offset 0
	hint	31			// autibsp
	.cfi_negate_ra_state
	ret
	.cfi_endproc
	.size	signed_b, .-signed_b

	.type	leaf_signed, %function
leaf_signed:
	.cfi_startproc
	hint	25
	.cfi_negate_ra_state
	cbz	w0, 1f
	hint	29
	.cfi_remember_state
	.cfi_negate_ra_state
	ret
1:
	.cfi_restore_state
	hint	29
	.cfi_negate_ra_state
	ret
	.cfi_endproc
	.size	leaf_signed, .-leaf_signed
	.section .note.GNU-stack,"",%progbits
