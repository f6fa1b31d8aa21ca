// Code that signs with key B, without .cfi_b_key_frame.
	.globl	signs
	.type	signs, %function
signs:
	.cfi_startproc
	pacibsp
	.cfi_negate_ra_state
	stp	x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	bl	signs
	ldp	x29, x30, [sp], 16
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	autibsp
	.cfi_negate_ra_state
	ret
	.cfi_endproc
	.size	signs, .-signs
	.section .note.GNU-stack,"",%progbits
