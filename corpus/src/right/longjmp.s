# The CFA is the address of the saved registers, as in longjmp: the caller is found above it.
	.text
	.globl	f
	.type	f, %function
f:
	.cfi_startproc
	.cfi_def_cfa x0, 0
	.cfi_offset x29, 80
	.cfi_offset x30, 88
	ldp	x29, x30, [x0, 80]
	.cfi_same_value x29
	.cfi_same_value x30
	ldr	x5, [x0, 104]
	mov	sp, x5
	.cfi_def_cfa sp, 0
	mov	x0, x1
	br	x30
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
