	.file	"shared.c"
	.machinemode zarch
	.machine "z196"
.text
	.align	8
.globl shared
	.type	shared, @function
shared:
.LFB0:
	.cfi_startproc
	stmg	%r14,%r15,112(%r15)
	lgr	%r1,%r2
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r15,-168(%r15)
	.cfi_def_cfa_offset 328
	st	%r3,164(%r15)
	l	%r2,164(%r15)
	lgfr	%r2,%r2
	basr	%r14,%r1
	lmg	%r14,%r15,280(%r15)
	.cfi_restore 15
	.cfi_restore 14
	.cfi_def_cfa_offset 160
	ahi	%r2,1
	lgfr	%r2,%r2
	br	%r14
	.cfi_endproc
.LFE0:
	.size	shared, .-shared
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
