# Frames the default FDE type cannot state.
	.text
# The stack grows in a loop that probes every page: meanwhile the CFA rests on r1, and
# where no other register is free on r14.
	.globl	probing
	.type	probing, @function
probing:
	.cfi_startproc
	stmg	%r14, %r15, 112(%r15)
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lgr	%r14, %r15
	.cfi_def_cfa_register 14
	aghi	%r14, -20480
	.cfi_def_cfa_offset 20640
1:	aghi	%r15, -4096
	cg	%r0, 4088(%r15)
	cgr	%r15, %r14
	jne	1b
	.cfi_def_cfa_register 15
	aghi	%r15, 20480
	.cfi_def_cfa_offset 160
	lmg	%r14, %r15, 112(%r15)
	.cfi_restore 15
	.cfi_restore 14
	br	%r14
	.cfi_endproc
	.size	probing, .-probing

	.globl	based_on_r1
	.type	based_on_r1, @function
based_on_r1:
	.cfi_startproc
	lgr	%r1, %r15
	.cfi_def_cfa 1, 160
	lgr	%r15, %r1
	.cfi_def_cfa 15, 160
	br	%r14
	.cfi_endproc
	.size	based_on_r1, .-based_on_r1

# CFA offsets that are no multiple of 8.
	.globl	uneven
	.type	uneven, @function
uneven:
	.cfi_startproc
	aghi	%r15, -12
	.cfi_def_cfa_offset 172
	aghi	%r15, 12
	.cfi_def_cfa_offset 160
	br	%r14
	.cfi_endproc
	.size	uneven, .-uneven

	.type	plain, @function
plain:
	.cfi_startproc
	br	%r14
	.cfi_endproc
	.size	plain, .-plain
	.section .note.GNU-stack,"",@progbits
