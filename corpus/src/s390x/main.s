# main calls one function of another file.
	.text
	.globl	main
	.type	main, @function
main:
	.cfi_startproc
	stmg	%r14, %r15, 112(%r15)
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	aghi	%r15, -160
	.cfi_def_cfa_offset 320
	brasl	%r14, vast
	lghi	%r2, 0
	lmg	%r14, %r15, 272(%r15)
	.cfi_restore 14
	.cfi_restore 15
	.cfi_def_cfa_offset 160
	br	%r14
	.cfi_endproc
	.size	main, .-main
	.section .note.GNU-stack,"",@progbits
