# r14 is saved and overwritten by a call, and no directive says so.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	lgr	%r3, %r15
	aghi	%r15, -304
	.cfi_adjust_cfa_offset 304
	stmg	%r6, %r14, 160(%r15)
	stg	%r3, 232(%r15)
	la	%r3, 160(%r15)
	brasl	%r14, g
	lg	%r1, 224(%r15)
	aghi	%r15, 304
	.cfi_adjust_cfa_offset -304
	br	%r1
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
