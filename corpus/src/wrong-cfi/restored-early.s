# GCC 12 restores the caller's SP from a floating-point register after other instructions of the
# epilogue; the CFI has it at once.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	ldgr	%f0, %r15
	.cfi_register 15, 16
	lay	%r15, -168(%r15)
	.cfi_def_cfa_offset 328
	l	%r2, 164(%r15)
	.cfi_restore 15
	.cfi_def_cfa_offset 160
	lgfr	%r2, %r2
	lgdr	%r15, %f0
	br	%r14
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
