	.arch armv8-a
	.file	"prog.c"
	.text
#APP
	.globl _start
.type _start,%function
_start:
.cfi_startproc
.cfi_undefined x30
mov x29,0
mov x30,0
bl c_main
brk 0
.cfi_endproc
.size _start,.-_start

#NO_APP
	.align	2
	.p2align 4,,11
	.type	leaf, %function
leaf:
.LFB3:
	.cfi_startproc
	ldr	w0, [x0]
	ret
	.cfi_endproc
.LFE3:
	.size	leaf, .-leaf
	.align	2
	.p2align 4,,11
	.type	waiter, %function
waiter:
.LFB4:
	.cfi_startproc
	sub	sp, sp, #16
	.cfi_def_cfa_offset 16
	adrp	x1, .LANCHOR0
	str	w0, [sp, 12]
	mov	w0, 1
	str	w0, [x1, #:lo12:.LANCHOR0]
	ldr	w0, [sp, 12]
	cbz	w0, .L4
	.p2align 3,,7
.L5:
	mov	x8, 73
	mov	x0, 0
	mov	x1, 0
	mov	x2, 0
	mov	x3, 0
#APP
// 33 "sys.h" 1
	svc 0
// 0 "" 2
#NO_APP
	ldr	w0, [sp, 12]
	cbnz	w0, .L5
.L4:
	ldr	w0, [sp, 12]
	add	sp, sp, 16
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
.LFE4:
	.size	waiter, .-waiter
	.align	2
	.p2align 4,,11
	.global	fault
	.type	fault, %function
fault:
.LFB5:
	.cfi_startproc
	adrp	x1, :got:want_wait
	ldr	x1, [x1, :got_lo12:want_wait]
	stp	x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	mov	x29, sp
	ldr	w1, [x1]
	cbnz	w1, .L15
	sbfiz	x0, x0, 3, 32
	bl	leaf
	ldp	x29, x30, [sp], 16
	.cfi_remember_state
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	add	w0, w0, 1
	ret
	.p2align 2,,3
.L15:
	.cfi_restore_state
	bl	waiter
	add	w0, w0, 2
	ldp	x29, x30, [sp], 16
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
.LFE5:
	.size	fault, .-fault
	.align	2
	.p2align 4,,11
	.global	handler
	.type	handler, %function
handler:
.LFB6:
	.cfi_startproc
	stp	x29, x30, [sp, -64]!
	.cfi_def_cfa_offset 64
	.cfi_offset 29, -64
	.cfi_offset 30, -56
	mov	x29, sp
	str	x19, [sp, 16]
	.cfi_offset 19, -48
	mov	w19, w0
	mov	w0, 2
	bl	fault
	add	x1, sp, 32
	and	w0, w0, 255
	strb	w0, [x1, w19, sxtw]
	ldr	x19, [sp, 16]
	ldp	x29, x30, [sp], 64
	.cfi_restore 30
	.cfi_restore 29
	.cfi_restore 19
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
.LFE6:
	.size	handler, .-handler
	.align	2
	.p2align 4,,11
	.global	deep
	.type	deep, %function
deep:
.LFB7:
	.cfi_startproc
	stp	x29, x30, [sp, -96]!
	.cfi_def_cfa_offset 96
	.cfi_offset 29, -96
	.cfi_offset 30, -88
	mov	x29, sp
	stp	x19, x20, [sp, 16]
	.cfi_offset 19, -80
	.cfi_offset 20, -72
	mov	w19, w0
	add	x20, sp, 32
	mov	w0, 1
	strb	w0, [x20, w19, sxtw]
	cbz	w19, .L19
	sub	w0, w19, #1
	bl	deep.localalias
	ldrb	w1, [x20, w19, sxtw]
	ldp	x19, x20, [sp, 16]
	add	w0, w0, w1, uxtb
	ldp	x29, x30, [sp], 96
	.cfi_remember_state
	.cfi_restore 30
	.cfi_restore 29
	.cfi_restore 19
	.cfi_restore 20
	.cfi_def_cfa_offset 0
	ret
	.p2align 2,,3
.L19:
	.cfi_restore_state
	adrp	x0, :got:fault
	ldr	x0, [x0, :got_lo12:fault]
	mov	w1, 1
	bl	shared
	add	w0, w0, 1
	ldp	x19, x20, [sp, 16]
	ldp	x29, x30, [sp], 96
	.cfi_restore 30
	.cfi_restore 29
	.cfi_restore 19
	.cfi_restore 20
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
.LFE7:
	.size	deep, .-deep
	.set	deep.localalias,deep
	.align	2
	.p2align 4,,11
	.global	realigned
	.type	realigned, %function
realigned:
.LFB8:
	.cfi_startproc
	stp	x29, x30, [sp, -144]!
	.cfi_def_cfa_offset 144
	.cfi_offset 29, -144
	.cfi_offset 30, -136
	sxtw	x1, w0
	mov	x2, x1
	add	x1, x1, 15
	mov	x29, sp
	.cfi_def_cfa_register 29
	and	x1, x1, -16
	str	x19, [sp, 16]
	.cfi_offset 19, -128
	sub	sp, sp, x1
	mov	x1, sp
	add	x19, x29, 95
	and	x19, x19, -64
	mov	w3, 1
	mov	w0, 3
	strb	w3, [x1]
	strb	w3, [x19, w2, sxtw]
	bl	deep
	ldrb	w1, [x19]
	mov	sp, x29
	add	w0, w0, w1, uxtb
	ldr	x19, [sp, 16]
	ldp	x29, x30, [sp], 144
	.cfi_restore 30
	.cfi_restore 29
	.cfi_restore 19
	.cfi_def_cfa 31, 0
	ret
	.cfi_endproc
.LFE8:
	.size	realigned, .-realigned
	.align	2
	.p2align 4,,11
	.global	dynamic
	.type	dynamic, %function
dynamic:
.LFB9:
	.cfi_startproc
	stp	x29, x30, [sp, -32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	sxtw	x1, w0
	add	x1, x1, 15
	mov	x29, sp
	.cfi_def_cfa_register 29
	and	x1, x1, -16
	mov	w2, 1
	str	x19, [sp, 16]
	.cfi_offset 19, -16
	sub	sp, sp, x1
	mov	x19, sp
	strb	w2, [x19]
	bl	realigned
	ldrb	w1, [x19]
	mov	sp, x29
	add	w0, w0, w1, uxtb
	ldr	x19, [sp, 16]
	ldp	x29, x30, [sp], 32
	.cfi_restore 30
	.cfi_restore 29
	.cfi_restore 19
	.cfi_def_cfa 31, 0
	ret
	.cfi_endproc
.LFE9:
	.size	dynamic, .-dynamic
	.align	2
	.p2align 4,,11
	.global	thread_main
	.type	thread_main, %function
thread_main:
.LFB10:
	.cfi_startproc
	mov	w0, 7
	b	waiter
	.cfi_endproc
.LFE10:
	.size	thread_main, .-thread_main
	.align	2
	.p2align 4,,11
	.global	c_main
	.type	c_main, %function
c_main:
.LFB11:
	.cfi_startproc
	adrp	x2, :got:want_signal
	ldr	x2, [x2, :got_lo12:want_signal]
	adrp	x0, .LANCHOR1
	add	x0, x0, :lo12:.LANCHOR1
	stp	x29, x30, [sp, -48]!
	.cfi_def_cfa_offset 48
	.cfi_offset 29, -48
	.cfi_offset 30, -40
	mov	x29, sp
	ldp	q0, q1, [x0]
	add	x1, sp, 16
	ldr	w0, [x2]
	stp	q0, q1, [x1]
	cbz	w0, .L28
	mov	x8, 134
	mov	x0, 11
	mov	x2, 0
	mov	x3, 8
#APP
// 33 "sys.h" 1
	svc 0
// 0 "" 2
#NO_APP
.L28:
	mov	w0, 40
	bl	dynamic
	mov	x8, 94
	mov	x0, 0
	mov	x1, 0
	mov	x2, 0
	mov	x3, 0
#APP
// 33 "sys.h" 1
	svc 0
// 0 "" 2
#NO_APP
	ldp	x29, x30, [sp], 48
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
.LFE11:
	.size	c_main, .-c_main
	.data
	.align	3
	.set	.LANCHOR1,. + 0
.LC0:
	.xword	handler
	.xword	67108868
	.xword	__restore_rt
	.xword	0
	.bss
	.align	2
	.set	.LANCHOR0,. + 0
	.type	ready, %object
	.size	ready, 4
ready:
	.zero	4
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
