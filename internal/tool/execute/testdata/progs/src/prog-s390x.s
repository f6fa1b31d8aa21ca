	.file	"prog.c"
	.machinemode zarch
	.machine "z196"
.text
#APP
	.globl _start
.type _start,@function
_start:
.cfi_startproc
.cfi_undefined 14
lghi %r11,0
aghi %r15,-160
brasl %r14,c_main
.short 0
.cfi_endproc
.size _start,.-_start

#NO_APP
	.align	8
	.type	leaf, @function
leaf:
.LFB3:
	.cfi_startproc
	l	%r2,0(%r2)
	lgfr	%r2,%r2
	br	%r14
	.cfi_endproc
.LFE3:
	.size	leaf, .-leaf
	.align	8
	.type	waiter, @function
waiter:
.LFB4:
	.cfi_startproc
	ldgr	%f0,%r15
	.cfi_register 15, 16
	lay	%r15,-168(%r15)
	.cfi_def_cfa_offset 328
	st	%r2,164(%r15)
	larl	%r1,.LANCHOR0
	mvhi	0(%r1),1
	lt	%r1,164(%r15)
	je	.L5
.L6:
	lghi	%r1,29
	lghi	%r2,0
	lghi	%r3,0
	lghi	%r4,0
	lghi	%r5,0
#APP
# 46 "sys.h" 1
	svc 0
# 0 "" 2
#NO_APP
	lt	%r1,164(%r15)
	jne	.L6
.L5:
	l	%r2,164(%r15)
	lgdr	%r15,%f0
	.cfi_restore 15
	.cfi_def_cfa_offset 160
	lgfr	%r2,%r2
	br	%r14
	.cfi_endproc
.LFE4:
	.size	waiter, .-waiter
	.align	8
.globl fault
	.type	fault, @function
fault:
.LFB5:
	.cfi_startproc
	stmg	%r14,%r15,112(%r15)
	lgrl	%r3,want_wait@GOTENT
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r15,-160(%r15)
	.cfi_def_cfa_offset 320
	lt	%r3,0(%r3)
	jne	.L17
	sllg	%r2,%r2,3
	brasl	%r14,leaf@PLT
	lmg	%r14,%r15,272(%r15)
	.cfi_remember_state
	.cfi_restore 15
	.cfi_restore 14
	.cfi_def_cfa_offset 160
	ahi	%r2,1
	lgfr	%r2,%r2
	br	%r14
.L17:
	.cfi_restore_state
	brasl	%r14,waiter@PLT
	lmg	%r14,%r15,272(%r15)
	.cfi_restore 15
	.cfi_restore 14
	.cfi_def_cfa_offset 160
	ahi	%r2,2
	lgfr	%r2,%r2
	br	%r14
	.cfi_endproc
.LFE5:
	.size	fault, .-fault
	.align	8
.globl handler
	.type	handler, @function
handler:
.LFB6:
	.cfi_startproc
	stmg	%r11,%r15,88(%r15)
	.cfi_offset 11, -72
	.cfi_offset 12, -64
	.cfi_offset 13, -56
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r15,-192(%r15)
	.cfi_def_cfa_offset 352
	lgr	%r11,%r2
	lghi	%r2,2
	brasl	%r14,fault@PLT
	stc	%r2,160(%r11,%r15)
	lmg	%r11,%r15,280(%r15)
	.cfi_restore 15
	.cfi_restore 14
	.cfi_restore 13
	.cfi_restore 12
	.cfi_restore 11
	.cfi_def_cfa_offset 160
	br	%r14
	.cfi_endproc
.LFE6:
	.size	handler, .-handler
	.align	8
.globl deep
	.type	deep, @function
deep:
.LFB7:
	.cfi_startproc
	stmg	%r11,%r15,88(%r15)
	.cfi_offset 11, -72
	.cfi_offset 12, -64
	.cfi_offset 13, -56
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r15,-224(%r15)
	.cfi_def_cfa_offset 384
	la	%r1,160(%r2,%r15)
	mvi	0(%r1),1
	ltgr	%r2,%r2
	je	.L23
	lgr	%r11,%r2
	ahi	%r2,-1
	lgfr	%r2,%r2
	brasl	%r14,deep.localalias@PLT
	llgc	%r1,160(%r11,%r15)
	ar	%r2,%r1
	lgfr	%r2,%r2
	lmg	%r11,%r15,312(%r15)
	.cfi_remember_state
	.cfi_restore 15
	.cfi_restore 14
	.cfi_restore 13
	.cfi_restore 12
	.cfi_restore 11
	.cfi_def_cfa_offset 160
	br	%r14
.L23:
	.cfi_restore_state
	lghi	%r3,1
	lgrl	%r2,fault@GOTENT
	brasl	%r14,shared@PLT
	lmg	%r11,%r15,312(%r15)
	.cfi_restore 15
	.cfi_restore 14
	.cfi_restore 13
	.cfi_restore 12
	.cfi_restore 11
	.cfi_def_cfa_offset 160
	ahi	%r2,1
	lgfr	%r2,%r2
	br	%r14
	.cfi_endproc
.LFE7:
	.size	deep, .-deep
	.set	deep.localalias,deep
	.align	8
.globl realigned
	.type	realigned, @function
realigned:
.LFB8:
	.cfi_startproc
	stmg	%r10,%r15,80(%r15)
	lgr	%r1,%r2
	.cfi_offset 10, -80
	.cfi_offset 11, -72
	.cfi_offset 12, -64
	.cfi_offset 13, -56
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r15,-280(%r15)
	.cfi_def_cfa_offset 440
	aghi	%r2,7
	lgr	%r11,%r15
	.cfi_def_cfa_register 11
	nill	%r2,65528
	la	%r10,223(%r11)
	sgr	%r15,%r2
	mvi	160(%r15),1
	nill	%r10,65472
	la	%r1,0(%r1,%r10)
	mvi	0(%r1),1
	lghi	%r2,3
	brasl	%r14,deep@PLT
	llgc	%r1,0(%r10)
	ar	%r2,%r1
	lgfr	%r2,%r2
	lmg	%r10,%r15,360(%r11)
	.cfi_restore 15
	.cfi_restore 14
	.cfi_restore 13
	.cfi_restore 12
	.cfi_restore 11
	.cfi_restore 10
	.cfi_def_cfa 15, 160
	br	%r14
	.cfi_endproc
.LFE8:
	.size	realigned, .-realigned
	.align	8
.globl dynamic
	.type	dynamic, @function
dynamic:
.LFB9:
	.cfi_startproc
	stmg	%r10,%r15,80(%r15)
	aghik	%r1,%r2,7
	nill	%r1,65528
	.cfi_offset 10, -80
	.cfi_offset 11, -72
	.cfi_offset 12, -64
	.cfi_offset 13, -56
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r15,-160(%r15)
	.cfi_def_cfa_offset 320
	lgr	%r11,%r15
	.cfi_def_cfa_register 11
	sgr	%r15,%r1
	mvi	160(%r15),1
	brasl	%r14,realigned@PLT
	llgc	%r1,160(%r15)
	ar	%r2,%r1
	lgfr	%r2,%r2
	lmg	%r10,%r15,240(%r11)
	.cfi_restore 15
	.cfi_restore 14
	.cfi_restore 13
	.cfi_restore 12
	.cfi_restore 11
	.cfi_restore 10
	.cfi_def_cfa 15, 160
	br	%r14
	.cfi_endproc
.LFE9:
	.size	dynamic, .-dynamic
	.align	8
.globl thread_main
	.type	thread_main, @function
thread_main:
.LFB10:
	.cfi_startproc
	lghi	%r2,7
	jg	waiter@PLT
	.cfi_endproc
.LFE10:
	.size	thread_main, .-thread_main
	.align	8
.globl c_main
	.type	c_main, @function
c_main:
.LFB11:
	.cfi_startproc
	larl	%r2,.LANCHOR1
	lgrl	%r1,want_signal@GOTENT
	lt	%r1,0(%r1)
	stmg	%r14,%r15,112(%r15)
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r15,-192(%r15)
	.cfi_def_cfa_offset 352
	mvc	160(16,%r15),0(%r2)
	mvc	176(16,%r15),16(%r2)
	je	.L36
	lghi	%r1,174
	lghi	%r2,11
	la	%r3,160(%r15)
	lghi	%r4,0
	lghi	%r5,8
#APP
# 46 "sys.h" 1
	svc 0
# 0 "" 2
#NO_APP
.L36:
	lghi	%r2,40
	brasl	%r14,dynamic@PLT
	lghi	%r1,248
	lghi	%r2,0
	lghi	%r3,0
	lghi	%r4,0
	lghi	%r5,0
#APP
# 46 "sys.h" 1
	svc 0
# 0 "" 2
#NO_APP
	lmg	%r14,%r15,304(%r15)
	.cfi_restore 15
	.cfi_restore 14
	.cfi_def_cfa_offset 160
	br	%r14
	.cfi_endproc
.LFE11:
	.size	c_main, .-c_main
.data
	.align	8
	.set	.LANCHOR1,. + 0
.LC0:
	.quad	handler
	.quad	67108868
	.quad	__restore_rt
	.quad	0
.bss
	.align	4
	.set	.LANCHOR0,. + 0
	.type	ready, @object
	.size	ready, 4
ready:
	.zero	4
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
