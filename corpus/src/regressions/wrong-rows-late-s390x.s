# LLVM writes no CFI for epilogues: the CFA is wrong after r15 is loaded. The callee cannot reach its slot.
	.text
	.globl	deletes
	.type	deletes, @function
deletes:
	.cfi_startproc
	stmg	%r13, %r15, 104(%r15)
	.cfi_offset %r13, -56
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi	%r15, -160
	.cfi_def_cfa_offset 320
	lgr	%r13, %r2
	brasl	%r14, outside@PLT
	lgr	%r2, %r13
	lmg	%r13, %r15, 264(%r15)
	jg	outside@PLT		# r15+160
	.cfi_endproc
	.size	deletes, .-deletes
