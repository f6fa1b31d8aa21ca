# Functions that begin with instructions to be patched, which no CFI describes.
	.text
	.globl	patched
	.type	patched, @function
patched:
	nopr	%r0
	nopr	%r0
	.cfi_startproc
	stmg	%r11, %r15, 88(%r15)
	.cfi_offset %r11, -72
	.cfi_offset %r14, -48
	.cfi_offset %r15, -40
	aghi	%r15, -160
	.cfi_def_cfa_offset 320
	brasl	%r14, patched_leaf
	lmg	%r11, %r15, 248(%r15)
	.cfi_restore %r15
	.cfi_restore %r14
	.cfi_restore %r11
	.cfi_def_cfa_offset 160
	br	%r14
	.cfi_endproc
	.size	patched, .-patched

	.globl	patched_leaf
	.type	patched_leaf, @function
patched_leaf:
	nopr	%r0
	nopr	%r0
	.cfi_startproc
	ahi	%r2, 1
	br	%r14
	.cfi_endproc
	.size	patched_leaf, .-patched_leaf
	.section .note.GNU-stack,"",@progbits
