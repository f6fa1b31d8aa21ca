# The ordinary shapes of an s390x function, with a symbol of every binding.
	.text

# A leaf: CFA = r15+160, return address in r14.
	.globl	leaf
	.type	leaf, @function
leaf:
	.cfi_startproc
	agr	%r2, %r3
	br	%r14
	.cfi_endproc
	.size	leaf, .-leaf

# The return address is saved, the frame pointer is not used.
	.globl	saved
	.type	saved, @function
saved:
	.cfi_startproc
	stmg	%r14, %r15, 112(%r15)
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	aghi	%r15, -160
	.cfi_def_cfa_offset 320
	brasl	%r14, leaf
	lmg	%r14, %r15, 272(%r15)
	.cfi_restore 14
	.cfi_restore 15
	.cfi_def_cfa_offset 160
	br	%r14
	.cfi_endproc
	.size	saved, .-saved

# A frame pointer in r11.
	.type	framed, @function
framed:
	.cfi_startproc
	stmg	%r11, %r15, 88(%r15)
	.cfi_offset 11, -72
	.cfi_offset 12, -64
	.cfi_offset 13, -56
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	aghi	%r15, -168
	.cfi_def_cfa_offset 328
	lgr	%r11, %r15
	.cfi_def_cfa_register 11
	brasl	%r14, saved
	lmg	%r11, %r15, 256(%r11)
	.cfi_restore 15
	.cfi_restore 14
	.cfi_restore 13
	.cfi_restore 12
	.cfi_restore 11
	.cfi_def_cfa 15, 160
	br	%r14
	.cfi_endproc
	.size	framed, .-framed

# A frame whose size, a multiple of 8, is out of reach of one byte.
	.weak	roomy
	.type	roomy, @function
roomy:
	.cfi_startproc
	stmg	%r14, %r15, 112(%r15)
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	aghi	%r15, -4096
	.cfi_def_cfa_offset 4256
	brasl	%r14, framed
	aghi	%r15, 4096
	.cfi_def_cfa_offset 160
	lmg	%r14, %r15, 112(%r15)
	.cfi_restore 14
	.cfi_restore 15
	br	%r14
	.cfi_endproc
	.size	roomy, .-roomy

	.globl	vast
	.hidden	vast
	.type	vast, @function
vast:
	.cfi_startproc
	stmg	%r14, %r15, 112(%r15)
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	agfi	%r15, -1048576
	.cfi_def_cfa_offset 1048736
	brasl	%r14, roomy
	agfi	%r15, 1048576
	.cfi_def_cfa_offset 160
	lmg	%r14, %r15, 112(%r15)
	.cfi_restore 14
	.cfi_restore 15
	br	%r14
	.cfi_endproc
	.size	vast, .-vast
	.section .note.GNU-stack,"",@progbits
