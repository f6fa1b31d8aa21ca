# A template of exrl follows a call of which nothing says that it returns, and a function that is called follows
# directly after the template, and jumps back.
	.text
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
	lmg	%r14, %r15, 288(%r15)
	.cfi_remember_state
	.cfi_restore 14
	.cfi_restore 15
	.cfi_def_cfa_offset 160
	br	%r14
2:
	.cfi_restore_state
	brasl	%r14, on_failure@PLT
1:	mvc	0(1, %r1), 0(%r2)
	.cfi_endproc
	.size	copies, .-copies

	.type	next, @function
next:
	.cfi_startproc
	ltgr	%r2, %r2
	jne	copies
	br	%r14
	.cfi_endproc
	.size	next, .-next
	.globl	calls
	.type	calls, @function
calls:
	.cfi_startproc
	stmg	%r14, %r15, 112(%r15)
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	aghi	%r15, -160
	.cfi_def_cfa_offset 320
	brasl	%r14, next
	lmg	%r14, %r15, 272(%r15)
	.cfi_restore 14
	.cfi_restore 15
	.cfi_def_cfa_offset 160
	br	%r14
	.cfi_endproc
	.size	calls, .-calls
	.section .note.GNU-stack,"",@progbits
