# s390x: an array in the frame is cleared in blocks of 256 bytes, as many as its length has, and then the rest. The
# first block would reach the saved registers: no length leads there.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	stmg	%r6, %r15, 48(%r15)
	.cfi_offset 6, -112
	.cfi_offset 7, -104
	.cfi_offset 8, -96
	.cfi_offset 9, -88
	.cfi_offset 10, -80
	.cfi_offset 11, -72
	.cfi_offset 12, -64
	.cfi_offset 13, -56
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r15, -272(%r15)
	.cfi_def_cfa_offset 432
	lgr	%r9, %r2
	lgr	%r7, %r3
	la	%r11, 184(%r15)
	ltgr	%r7, %r7
	je	2f
	aghi	%r7, -1
	lgr	%r8, %r11
	srlg	%r0, %r7, 8
	ltgr	%r0, %r0
	jne	4f
1:	exrl	%r7, 3f
2:	l	%r2, 184(%r15)
	lmg	%r6, %r15, 320(%r15)
	.cfi_remember_state
	.cfi_restore 15
	.cfi_restore 14
	.cfi_restore 13
	.cfi_restore 12
	.cfi_restore 11
	.cfi_restore 10
	.cfi_restore 9
	.cfi_restore 8
	.cfi_restore 7
	.cfi_restore 6
	.cfi_def_cfa_offset 160
	br	%r14
4:	.cfi_restore_state
	pfd	2, 1024(%r8)
	xc	0(256, %r8), 0(%r8)
	la	%r8, 256(%r8)
	brctg	%r0, 4b
	stg	%r1, 176(%r15)
	j	1b
	.cfi_endproc
	.size	f, .-f
3:	xc	0(1, %r8), 0(%r8)
	.section .note.GNU-stack,"",@progbits
