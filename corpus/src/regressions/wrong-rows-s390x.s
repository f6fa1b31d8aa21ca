# As wrong-rows-amd64.s, for s390x.
	.text
	.globl	at_label
	.type	at_label, @function
at_label:
	.cfi_startproc
	stmg	%r14, %r15, 112(%r15)
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	lay	%r15, -160(%r15)
	.cfi_def_cfa_offset 320
	brasl	%r14, other
	ltr	%r2, %r2
	je	2f
	brasl	%r14, outside@PLT
2:
	.cfi_def_cfa_offset 160		# r15+320
	lmg	%r14, %r15, 272(%r15)
	.cfi_restore %r14
	.cfi_restore %r15
	br	%r14
	.cfi_endproc
	.size	at_label, .-at_label

	.globl	tail_jump
	.type	tail_jump, @function
tail_jump:
	.cfi_startproc
	ltgr	%r3, %r3
	jne	2f
	lg	%r1, 8(%r2)
	br	%r1
2:
	stmg	%r14, %r15, 112(%r15)
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	lay	%r15, -160(%r15)
	.cfi_def_cfa_offset 320
	brasl	%r14, outside@PLT
	.cfi_def_cfa_offset 160		# r15+320
	lmg	%r14, %r15, 272(%r15)
	.cfi_restore %r14
	.cfi_restore %r15
	br	%r14
	.cfi_endproc
	.size	tail_jump, .-tail_jump

	.globl	probes
	.type	probes, @function
probes:
	.cfi_startproc
	lgr	%r1, %r15
	aghi	%r1, -32768
2:
	aghi	%r15, -4096		# r1+32928
	cg	%r0, 152(%r15)
	clgr	%r15, %r1
	jne	2b
	.cfi_def_cfa_offset 32928
	lay	%r15, 32768(%r15)
	.cfi_def_cfa_offset 160
	br	%r14
	.cfi_endproc
	.size	probes, .-probes

	.globl	argument
	.type	argument, @function
argument:				# FP gets an argument on the stack, and is not saved
	.cfi_startproc
	lg	%r0, 168(%r15)
	lgr	%r11, %r0
	la	%r2, 1(%r11)		# FP is lost
	br	%r14
	.cfi_endproc
	.size	argument, .-argument

	.type	other, @function
other:
	.cfi_startproc
	ahi	%r2, 1
	br	%r14
	.cfi_endproc
	.size	other, .-other
