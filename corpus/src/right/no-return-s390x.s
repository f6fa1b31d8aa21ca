# A call of a function that does not return, by a stub of a procedure linkage table, between two ways of a
# function that are not known. Nothing goes on after it.
	.text
	.globl	steps
	.type	steps, @function
steps:
	.cfi_startproc
	stmg	%r14, %r15, 112(%r15)
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r15, -176(%r15)
	.cfi_def_cfa_offset 336
	ltgr	%r2, %r2
	je	1f
	jl	2f
	br	%r3
1:	lmg	%r14, %r15, 288(%r15)
	.cfi_remember_state
	.cfi_restore 14
	.cfi_restore 15
	.cfi_def_cfa_offset 160
	br	%r14
2:	.cfi_restore_state
	.cfi_remember_state
	aghi	%r15, -16
	.cfi_def_cfa_offset 352
	brasl	%r14, exit@PLT
	nopr	%r7
3:	.cfi_restore_state
	lmg	%r14, %r15, 288(%r15)
	.cfi_restore 14
	.cfi_restore 15
	.cfi_def_cfa_offset 160
	br	%r14
	.cfi_endproc
	.size	steps, .-steps
	.section .note.GNU-stack,"",@progbits
