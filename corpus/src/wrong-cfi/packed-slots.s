# GCC 12 with -mpacked-stack -mbackchain -msoft-float, where inline assembly overwrites floating-point
# registers: f10 is saved over the slot of r11. The code is wrong, not only the CFI.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	stmg	%r10, %r15, 104(%r15)
	std	%f10, 112(%r15)
	.cfi_offset 11, -48
	.cfi_offset 14, -24
	.cfi_offset 15, -16
	lgr	%r14, %r15
	lay	%r15, -120(%r15)
	.cfi_def_cfa_offset 280
	stg	%r14, 152(%r15)
	lgr	%r11, %r3
	brasl	%r14, f
	ar	%r2, %r11
	lmg	%r10, %r15, 224(%r15)
	.cfi_restore 15
	.cfi_restore 14
	.cfi_restore 11
	.cfi_def_cfa_offset 160
	br	%r14
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
