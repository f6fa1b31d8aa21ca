# A template of exrl stands behind a call that does not return, and the next function, whose
# address is taken, directly after it.
	.text
	.globl	copies
	.type	copies, @function
copies:
	.cfi_startproc
	stmg	%r14, %r15, 112(%r15)
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r15, -176(%r15)
	.cfi_def_cfa_offset 336
	exrl	%r3, 1f
	ltgr	%r2, %r2
	jne	2f
	larl	%r2, next
	lmg	%r14, %r15, 288(%r15)
	.cfi_remember_state
	.cfi_restore 14
	.cfi_restore 15
	.cfi_def_cfa_offset 160
	br	%r14
2:
	.cfi_restore_state
	brasl	%r14, __stack_chk_fail@PLT
1:	mvc	0(1, %r1), 0(%r2)
	.cfi_endproc
	.size	copies, .-copies

	.type	next, @function
next:
	.cfi_startproc
	aghi	%r2, 1
	br	%r14
	.cfi_endproc
	.size	next, .-next
	.section .note.GNU-stack,"",@progbits
