# Functions of more than 255 and, where HUGE is set, of more than 65535 bytes.
	.text
	.globl	wide
	.type	wide, @function
wide:
	.cfi_startproc
	aghi	%r15, -160
	.cfi_def_cfa_offset 320
	.rept	200
	nopr
	.endr
	aghi	%r15, 160
	.cfi_def_cfa_offset 160
	br	%r14
	.cfi_endproc
	.size	wide, .-wide

.if HUGE
	.globl	huge
	.type	huge, @function
huge:
	.cfi_startproc
	aghi	%r15, -160
	.cfi_def_cfa_offset 320
	.rept	32800
	nopr
	.endr
	aghi	%r15, 160
	.cfi_def_cfa_offset 160
	br	%r14
	.cfi_endproc
	.size	huge, .-huge
.endif
	.section .note.GNU-stack,"",@progbits
