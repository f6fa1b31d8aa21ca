# The last two bytes of the call at the end of the function are those of br %r14.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	stmg	%r14, %r15, 112(%r15)
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r15, -176(%r15)
	.cfi_def_cfa_offset 336
	brasl	%r14, g@PLT
	ltgr	%r2, %r2
	jne	1f
	lmg	%r14, %r15, 288(%r15)
	.cfi_remember_state
	.cfi_restore 14
	.cfi_restore 15
	.cfi_def_cfa_offset 160
	br	%r14
1:
	.cfi_restore_state
	brasl	%r14, . + 2 * 0x7fe
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
