# r6 to r14 are saved and used, and no directive says so.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	stmg	%r6, %r14, 48(%r15)
	lgr	%r1, %r15
	lay	%r15, -160(%r15)
	.cfi_def_cfa_offset 320
	lg	%r11, 16(%r3)
	larl	%r14, f
	lg	%r2, 0(%r11, %r14)
	lmg	%r6, %r14, 208(%r15)
	lay	%r15, 160(%r15)
	.cfi_def_cfa_offset 160
	br	%r14
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
