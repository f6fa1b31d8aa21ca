// CFI for .sframe alone that says of the first instruction that the return address is signed.
	.cfi_sections .sframe
	.globl	signs
	.type	signs, %function
signs:
	.cfi_startproc
	.cfi_negate_ra_state
	nop
	.cfi_negate_ra_state
	ret
	.cfi_endproc
	.size	signs, .-signs
	.section .note.GNU-stack,"",%progbits
