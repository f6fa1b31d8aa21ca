// Functions of more than 255 and, where HUGE is set, of more than 65535 bytes.
	.text
	.globl	wide
	.type	wide, %function
wide:
	.cfi_startproc
	sub	sp, sp, #16
	.cfi_def_cfa_offset 16
	.rept	100
	nop
	.endr
	add	sp, sp, #16
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	wide, .-wide

.if HUGE
	.globl	huge
	.type	huge, %function
huge:
	.cfi_startproc
	sub	sp, sp, #16
	.cfi_def_cfa_offset 16
	.rept	16400
	nop
	.endr
	add	sp, sp, #16
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	huge, .-huge
.endif
	.section .note.GNU-stack,"",%progbits
