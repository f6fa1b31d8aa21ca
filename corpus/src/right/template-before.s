# A template of exrl is between functions, as LLVM writes it, and has the next address at which a function could be
# aligned inside.
	.text
	.globl	first
	.type	first, @function
first:
	.cfi_startproc
	aghi	%r2, 1
	br	%r14
	.cfi_endproc
	.size	first, .-first

	nopr	%r7
	nopr	%r7
	nopr	%r7
1:	clc	0(1, %r4), 0(%r2)
	.globl	compares
	.type	compares, @function
compares:
	.cfi_startproc
	stmg	%r14, %r15, 112(%r15)
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	aghi	%r15, -160
	.cfi_def_cfa_offset 320
	exrl	%r3, 1b
	brasl	%r14, first
	lmg	%r14, %r15, 272(%r15)
	.cfi_restore 14
	.cfi_restore 15
	.cfi_def_cfa_offset 160
	br	%r14
	.cfi_endproc
	.size	compares, .-compares
	.section .note.GNU-stack,"",@progbits
