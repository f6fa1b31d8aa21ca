// The offset of a frame that is released is added instead of subtracted.
	.text
	.globl	f
	.type	f, %function
f:
	.cfi_startproc
	sub	sp, sp, #464
	.cfi_adjust_cfa_offset 464
	ldr	x0, [sp, #8]
	add	sp, sp, #464
	.cfi_adjust_cfa_offset 464
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",%progbits
