	.file	"program.c"
	.machinemode zarch
	.machine "z10"
.text
	.section	.text.unlikely,"ax",@progbits
	.align	8
	.type	fail.constprop.0, @function
fail.constprop.0:
.LFB12:
	.cfi_startproc
	j	.+2
	.cfi_endproc
.LFE12:
	.size	fail.constprop.0, .-fail.constprop.0
.text
	.align	8
.globl insert
	.type	insert, @function
insert:
.LFB2:
	.cfi_startproc
	stmg	%r10,%r15,80(%r15)
	.cfi_offset 10, -80
	.cfi_offset 11, -72
	.cfi_offset 12, -64
	.cfi_offset 13, -56
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r15,-160(%r15)
	.cfi_def_cfa_offset 320
	cgije	%r2,0,.L21
	cli	0(%r3),0
	lg	%r5,16(%r2)
	lgr	%r10,%r2
	llc	%r0,0(%r3)
	lgr	%r1,%r3
	ic	%r2,0(%r5)
	jne	.L7
	j	.L22
.L10:
	cli	1(%r1),0
	la	%r1,1(%r1)
	la	%r11,1(%r5)
	llc	%r0,0(%r1)
	je	.L23
	lgr	%r5,%r11
.L7:
	llc	%r11,0(%r5)
	crje	%r0,%r11,.L10
	sr	%r0,%r11
	ltr	%r0,%r0
	jl	.L8
	je	.L9
	lg	%r2,8(%r10)
	brasl	%r14,insert@PLT
	stg	%r2,8(%r10)
.L12:
	lg	%r4,272(%r15)
	lgr	%r2,%r10
	lmg	%r10,%r15,240(%r15)
	.cfi_remember_state
	.cfi_restore 15
	.cfi_restore 14
	.cfi_restore 13
	.cfi_restore 12
	.cfi_restore 11
	.cfi_restore 10
	.cfi_def_cfa_offset 160
	br	%r4
.L23:
	.cfi_restore_state
	cli	1(%r5),0
	jne	.L8
.L9:
	stg	%r4,24(%r10)
	j	.L12
.L22:
	tml	%r2,255
	je	.L9
.L8:
	lg	%r2,0(%r10)
	brasl	%r14,insert@PLT
	stg	%r2,0(%r10)
	j	.L12
.L21:
	lrl	%r1,.LANCHOR0
	larl	%r5,.LANCHOR0
	cije	%r1,64,.L24
	lgfr	%r2,%r1
	ahi	%r1,1
	sllg	%r2,%r2,5
	strl	%r1,.LANCHOR0
	larl	%r1,.LANCHOR0+8
	stg	%r4,32(%r2,%r5)
	stg	%r3,24(%r2,%r5)
	lg	%r4,272(%r15)
	agr	%r2,%r1
	lmg	%r10,%r15,240(%r15)
	.cfi_remember_state
	.cfi_restore 15
	.cfi_restore 14
	.cfi_restore 13
	.cfi_restore 12
	.cfi_restore 11
	.cfi_restore 10
	.cfi_def_cfa_offset 160
	br	%r4
.L24:
	.cfi_restore_state
	brasl	%r14,fail.constprop.0@PLT
	.cfi_endproc
.LFE2:
	.size	insert, .-insert
	.align	8
.globl walk
	.type	walk, @function
walk:
.LFB3:
	.cfi_startproc
	stmg	%r8,%r15,64(%r15)
	.cfi_offset 8, -96
	.cfi_offset 9, -88
	.cfi_offset 10, -80
	.cfi_offset 11, -72
	.cfi_offset 12, -64
	.cfi_offset 13, -56
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r15,-160(%r15)
	.cfi_def_cfa_offset 320
	cgije	%r2,0,.L29
	lgr	%r9,%r3
	lgr	%r8,%r4
	lgr	%r11,%r2
	lghi	%r10,0
.L28:
	lg	%r2,0(%r11)
	lgr	%r4,%r8
	lgr	%r3,%r9
	brasl	%r14,walk@PLT
	lgr	%r3,%r8
	lgr	%r1,%r2
	lgr	%r2,%r11
	agr	%r10,%r1
	basr	%r14,%r9
	lgr	%r1,%r10
	xg	%r1,24(%r11)
	msgr	%r1,%r2
	agr	%r10,%r1
	ltg	%r11,8(%r11)
	jne	.L28
	lg	%r4,272(%r15)
	lgr	%r2,%r10
	lmg	%r8,%r15,224(%r15)
	.cfi_remember_state
	.cfi_restore 15
	.cfi_restore 14
	.cfi_restore 13
	.cfi_restore 12
	.cfi_restore 11
	.cfi_restore 10
	.cfi_restore 9
	.cfi_restore 8
	.cfi_def_cfa_offset 160
	br	%r4
.L29:
	.cfi_restore_state
	lg	%r4,272(%r15)
	lghi	%r10,0
	lgr	%r2,%r10
	lmg	%r8,%r15,224(%r15)
	.cfi_restore 15
	.cfi_restore 14
	.cfi_restore 13
	.cfi_restore 12
	.cfi_restore 11
	.cfi_restore 10
	.cfi_restore 9
	.cfi_restore 8
	.cfi_def_cfa_offset 160
	br	%r4
	.cfi_endproc
.LFE3:
	.size	walk, .-walk
	.align	8
.globl total
	.type	total, @function
total:
.LFB4:
	.cfi_startproc
	stmg	%r3,%r6,24(%r15)
	ldgr	%f0,%r15
	.cfi_register 15, 16
	.cfi_offset 6, -112
	lay	%r15,-192(%r15)
	.cfi_def_cfa_offset 352
	ldgr	%f2,%r11
	.cfi_register 11, 17
	la	%r1,352(%r15)
	stg	%r1,176(%r15)
	mvghi	160(%r15),1
	la	%r1,192(%r15)
	stg	%r1,184(%r15)
	cijle	%r2,0,.L38
	lr	%r1,%r2
	ahi	%r1,-1
	lg	%r4,184(%r15)
	lghi	%r3,1
	aghi	%r4,24
	lghi	%r2,0
	la	%r11,352(%r15)
	llgfr	%r1,%r1
	aghi	%r1,1
.L37:
	lgr	%r5,%r11
	cgijh	%r3,4,.L35
	lgr	%r5,%r4
.L36:
	aghi	%r3,1
	ag	%r2,0(%r5)
	aghi	%r4,8
	brctg	%r1,.L37
	lgdr	%r15,%f0
	.cfi_remember_state
	.cfi_restore 15
	.cfi_def_cfa_offset 160
	lgdr	%r11,%f2
	.cfi_restore 11
	br	%r14
.L35:
	.cfi_restore_state
	la	%r11,8(%r11)
	j	.L36
.L38:
	lghi	%r2,0
	lgdr	%r15,%f0
	.cfi_restore 15
	.cfi_def_cfa_offset 160
	lgdr	%r11,%f2
	.cfi_restore 11
	br	%r14
	.cfi_endproc
.LFE4:
	.size	total, .-total
	.align	8
.globl fill
	.type	fill, @function
fill:
.LFB5:
	.cfi_startproc
	cgije	%r3,0,.L43
.L45:
	stc	%r4,0(%r2)
	la	%r2,1(%r2)
	brctg	%r3,.L45
.L43:
	br	%r14
	.cfi_endproc
.LFE5:
	.size	fill, .-fill
	.align	8
.globl scratch
	.type	scratch, @function
scratch:
.LFB6:
	.cfi_startproc
	lgr	%r1,%r2
	aghi	%r1,7
	stmg	%r10,%r15,80(%r15)
	.cfi_offset 10, -80
	.cfi_offset 11, -72
	.cfi_offset 12, -64
	.cfi_offset 13, -56
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r15,-160(%r15)
	.cfi_def_cfa_offset 320
	lgr	%r10,%r2
	risbg	%r3,%r1,0,128+51,0
	lgr	%r2,%r15
	lgr	%r11,%r15
	.cfi_def_cfa_register 11
	nill	%r1,65528
	sgr	%r2,%r3
	cgrje	%r2,%r15,.L54
	lr	0,0
.L60:
	lay	%r15,-4096(%r15)
	cg	%r0,4088(%r15)
	cgrjlh	%r15,%r2,.L60
.L54:
	risbg	%r1,%r1,52,128+63,0
	sgr	%r15,%r1
	cgijlh	%r1,0,.L61
.L55:
	la	%r2,160(%r15)
	lgr	%r3,%r10
	lghi	%r4,1
	srlg	%r10,%r10,1
	brasl	%r14,fill@PLT
	lg	%r5,272(%r11)
	llgc	%r2,160(%r10,%r15)
	lmg	%r10,%r15,240(%r11)
	.cfi_remember_state
	.cfi_restore 15
	.cfi_restore 14
	.cfi_restore 13
	.cfi_restore 12
	.cfi_restore 11
	.cfi_restore 10
	.cfi_def_cfa 15, 160
	br	%r5
.L61:
	.cfi_restore_state
	cg	%r0,-8(%r1,%r15)
	j	.L55
	.cfi_endproc
.LFE6:
	.size	scratch, .-scratch
	.align	8
.globl aligned
	.type	aligned, @function
aligned:
.LFB7:
	.cfi_startproc
	stmg	%r7,%r15,56(%r15)
	lgr	%r1,%r2
	aghi	%r1,7
	.cfi_offset 7, -104
	.cfi_offset 8, -96
	.cfi_offset 9, -88
	.cfi_offset 10, -80
	.cfi_offset 11, -72
	.cfi_offset 12, -64
	.cfi_offset 13, -56
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lgr	%r10,%r3
	lay	%r15,-288(%r15)
	.cfi_def_cfa_offset 448
	lgr	%r9,%r2
	lgr	%r11,%r15
	.cfi_def_cfa_register 11
	lgr	%r2,%r15
	lgr	%r7,%r4
	lgr	%r13,%r5
	risbg	%r3,%r1,0,128+51,0
	nill	%r1,65528
	la	%r8,231(%r11)
	nill	%r8,65472
	sgr	%r2,%r3
	cgrje	%r2,%r15,.L65
	lr	0,0
.L71:
	lay	%r15,-4096(%r15)
	cg	%r0,4088(%r15)
	cgrjlh	%r15,%r2,.L71
.L65:
	risbg	%r1,%r1,52,128+63,0
	sgr	%r15,%r1
	cgijlh	%r1,0,.L72
.L66:
	llgc	%r4,463(%r11)
	lgr	%r2,%r8
	lghi	%r3,64
	la	%r1,160(%r15)
	stg	%r1,160(%r11)
	agr	%r10,%r7
	brasl	%r14,fill@PLT
	llgc	%r4,471(%r11)
	lg	%r2,160(%r11)
	lgr	%r3,%r9
	brasl	%r14,fill@PLT
	lgr	%r2,%r10
	agr	%r2,%r13
	llgc	%r3,3(%r8)
	lg	%r1,160(%r11)
	lg	%r4,400(%r11)
	agr	%r2,%r6
	llgc	%r1,-1(%r9,%r1)
	ag	%r2,448(%r11)
	lmg	%r7,%r15,344(%r11)
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
	.cfi_def_cfa 15, 160
	agr	%r2,%r3
	agr	%r2,%r1
	br	%r4
.L72:
	.cfi_restore_state
	cg	%r0,-8(%r1,%r15)
	j	.L66
	.cfi_endproc
.LFE7:
	.size	aligned, .-aligned
	.align	8
.globl large
	.type	large, @function
large:
.LFB8:
	.cfi_startproc
	stmg	%r14,%r15,112(%r15)
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r14,-16384(%r15)
	.cfi_def_cfa 14, 16544
.L75:
	lay	%r15,-4096(%r15)
	cg	%r0,4088(%r15)
	clgr	%r15,%r14
	jh	.L75
	lgr	%r15,%r14
	.cfi_def_cfa_register 15
	lay	%r15,-3776(%r15)
	.cfi_def_cfa_offset 20320
	cg	%r0,3768(%r15)
	la	%r2,160(%r15)
	lghi	%r4,2
	lghi	%r3,20000
	brasl	%r14,fill@PLT
	lg	%r4,20272(%r15)
	llgc	%r2,20159(%r15)
	lmg	%r14,%r15,20272(%r15)
	.cfi_restore 15
	.cfi_restore 14
	.cfi_def_cfa_offset 160
	br	%r4
	.cfi_endproc
.LFE8:
	.size	large, .-large
	.align	8
.globl choose
	.type	choose, @function
choose:
.LFB9:
	.cfi_startproc
	clijle	%r2,5,.L91
	lghi	%r2,0
	br	%r14
.L91:
	lgr	%r1,%r3
	risbg	%r2,%r2,29,128+60,3
	larl	%r3,.L81
	lg	%r2,0(%r2,%r3)
	b	0(%r2,%r3)
	.section	.rodata
	.align	8
	.align	4
.L81:
	.quad	.L86-.L81
	.quad	.L85-.L81
	.quad	.L84-.L81
	.quad	.L83-.L81
	.quad	.L82-.L81
	.quad	.L80-.L81
.text
.L82:
	lghi	%r2,3
	lgr	%r5,%r1
	lgr	%r4,%r1
	lgr	%r3,%r1
	jg	total@PLT
.L80:
	lghi	%r4,0
	lghi	%r3,0
	lghi	%r2,0
	jg	walk@PLT
.L86:
	lghi	%r2,1
	lgr	%r3,%r1
	jg	total@PLT
.L85:
	lgr	%r2,%r1
	jg	scratch@PLT
.L84:
	jg	large@PLT
.L83:
	stmg	%r6,%r15,48(%r15)
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
	lay	%r15,-184(%r15)
	.cfi_def_cfa_offset 344
	lghi	%r6,4
	lghi	%r4,2
	lghi	%r5,3
	lghi	%r3,1
	lgr	%r2,%r1
	mvghi	176(%r15),7
	mvghi	168(%r15),6
	mvghi	160(%r15),5
	brasl	%r14,aligned@PLT
	lg	%r4,296(%r15)
	lmg	%r6,%r15,232(%r15)
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
	br	%r4
	.cfi_endproc
.LFE9:
	.size	choose, .-choose
	.align	8
	.type	visit, @function
visit:
.LFB10:
	.cfi_startproc
	lgf	%r2,28(%r2)
	lg	%r3,0(%r3)
	jg	choose@PLT
	.cfi_endproc
.LFE10:
	.size	visit, .-visit
	.section	.text.startup,"ax",@progbits
	.align	8
.globl main
	.type	main, @function
main:
.LFB11:
	.cfi_startproc
	stmg	%r9,%r15,72(%r15)
	.cfi_offset 9, -88
	.cfi_offset 10, -80
	.cfi_offset 11, -72
	.cfi_offset 12, -64
	.cfi_offset 13, -56
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay	%r15,-168(%r15)
	.cfi_def_cfa_offset 328
	larl	%r9,.LANCHOR1
	lghi	%r10,0
	lghi	%r1,0
	lghi	%r11,6
	mvghi	160(%r15),40
.L96:
	lg	%r3,0(%r9)
	lgr	%r2,%r1
	lgr	%r4,%r10
	aghi	%r9,8
	aghi	%r10,1
	brasl	%r14,insert@PLT
	lgr	%r1,%r2
	brctg	%r11,.L96
	la	%r4,160(%r15)
	larl	%r3,visit@PLT
	brasl	%r14,walk@PLT
	lg	%r4,280(%r15)
	lmg	%r9,%r15,240(%r15)
	.cfi_restore 15
	.cfi_restore 14
	.cfi_restore 13
	.cfi_restore 12
	.cfi_restore 11
	.cfi_restore 10
	.cfi_restore 9
	.cfi_def_cfa_offset 160
	lgfr	%r2,%r2
	br	%r4
	.cfi_endproc
.LFE11:
	.size	main, .-main
	.section	.rodata.str1.2,"aMS",@progbits,1
	.align	2
.LC0:
	.string	"hop"
	.align	2
.LC1:
	.string	"bar"
	.align	2
.LC2:
	.string	"foo"
	.align	2
.LC3:
	.string	"qux"
	.align	2
.LC4:
	.string	"baz"
	.align	2
.LC5:
	.string	"zap"
.bss
	.align	8
	.set	.LANCHOR0,. + 0
	.type	used, @object
	.size	used, 4
used:
	.zero	4
	.zero	4
	.type	pool, @object
	.size	pool, 2048
pool:
	.zero	2048
	.section	.data.rel.ro.local,"aw"
	.align	8
	.set	.LANCHOR1,. + 0
	.type	keys.0, @object
	.size	keys.0, 48
keys.0:
	.quad	.LC0
	.quad	.LC1
	.quad	.LC2
	.quad	.LC3
	.quad	.LC4
	.quad	.LC5
	.section	.note.GNU-stack,"",@progbits
