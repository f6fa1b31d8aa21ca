// x30 is overwritten, and the FRE says that RA is unchanged.
	.text
	.globl	f
	.type	f, %function
f:
	.cfi_startproc
	mov	x9, x30
	mov	x30, x1
	mov	x0, #0
	ret	x9
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",%progbits
