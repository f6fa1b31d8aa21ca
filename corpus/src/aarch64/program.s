	.arch armv8-a
	.file	"program.c"
	.text
	.section	.text.unlikely,"ax",@progbits
	.align	2
	.type	fail.constprop.0, %function
fail.constprop.0:
.LFB12:
	.cfi_startproc
	brk #1000
	.cfi_endproc
.LFE12:
	.size	fail.constprop.0, .-fail.constprop.0
	.text
	.align	2
	.p2align 4,,11
	.global	insert
	.type	insert, %function
insert:
.LFB2:
	.cfi_startproc
	hint	25 // paciasp
	.cfi_window_save
	stp	x29, x30, [sp, -32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	mov	x29, sp
	cbz	x0, .L19
	ldr	x4, [x0, 16]
	str	x19, [sp, 16]
	.cfi_offset 19, -16
	ldrb	w3, [x1]
	mov	x19, x0
	mov	x6, x1
	ldrb	w0, [x4]
	cbnz	w3, .L6
	b	.L17
	.p2align 2,,3
.L9:
	ldrb	w3, [x6, 1]!
	add	x5, x4, 1
	cbz	w3, .L20
	mov	x4, x5
.L6:
	ldrb	w5, [x4]
	cmp	w5, w3
	beq	.L9
	subs	w3, w3, w5
	bmi	.L7
	beq	.L8
	ldr	x0, [x19, 8]
	bl	insert
	str	x0, [x19, 8]
.L11:
	mov	x0, x19
	ldr	x19, [sp, 16]
	.cfi_remember_state
	.cfi_restore 19
	ldp	x29, x30, [sp], 32
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	hint	29 // autiasp
	.cfi_window_save
	ret
	.p2align 2,,3
.L20:
	.cfi_restore_state
	ldrb	w0, [x4, 1]
.L17:
	cbnz	w0, .L7
.L8:
	str	x2, [x19, 24]
	b	.L11
	.p2align 2,,3
.L7:
	ldr	x0, [x19]
	bl	insert
	str	x0, [x19]
	b	.L11
	.p2align 2,,3
.L19:
	.cfi_restore 19
	adrp	x4, .LANCHOR0
	add	x0, x4, :lo12:.LANCHOR0
	ldr	w3, [x4, #:lo12:.LANCHOR0]
	cmp	w3, 64
	beq	.L21
	sbfiz	x5, x3, 5, 32
	add	x0, x0, 8
	add	x0, x0, x5
	add	w3, w3, 1
	str	w3, [x4, #:lo12:.LANCHOR0]
	stp	x1, x2, [x0, 16]
	ldp	x29, x30, [sp], 32
	.cfi_remember_state
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	hint	29 // autiasp
	.cfi_window_save
	ret
.L21:
	.cfi_restore_state
	str	x19, [sp, 16]
	.cfi_offset 19, -16
	bl	fail.constprop.0
	.cfi_endproc
.LFE2:
	.size	insert, .-insert
	.align	2
	.p2align 4,,11
	.global	walk
	.type	walk, %function
walk:
.LFB3:
	.cfi_startproc
	hint	25 // paciasp
	.cfi_window_save
	stp	x29, x30, [sp, -48]!
	.cfi_def_cfa_offset 48
	.cfi_offset 29, -48
	.cfi_offset 30, -40
	mov	x29, sp
	stp	x19, x20, [sp, 16]
	.cfi_offset 19, -32
	.cfi_offset 20, -24
	mov	x20, 0
	cbz	x0, .L22
	mov	x19, x0
	stp	x21, x22, [sp, 32]
	.cfi_offset 22, -8
	.cfi_offset 21, -16
	mov	x21, x1
	mov	x22, x2
	mov	x20, 0
.L24:
	ldr	x0, [x19]
	mov	x2, x22
	mov	x1, x21
	bl	walk
	add	x20, x0, x20
	mov	x1, x22
	mov	x0, x19
	blr	x21
	ldr	x3, [x19, 24]
	ldr	x19, [x19, 8]
	eor	x3, x20, x3
	madd	x20, x3, x0, x20
	cbnz	x19, .L24
	ldp	x21, x22, [sp, 32]
	.cfi_restore 22
	.cfi_restore 21
.L22:
	mov	x0, x20
	ldp	x19, x20, [sp, 16]
	ldp	x29, x30, [sp], 48
	.cfi_restore 30
	.cfi_restore 29
	.cfi_restore 19
	.cfi_restore 20
	.cfi_def_cfa_offset 0
	hint	29 // autiasp
	.cfi_window_save
	ret
	.cfi_endproc
.LFE3:
	.size	walk, .-walk
	.align	2
	.p2align 4,,11
	.global	total
	.type	total, %function
total:
.LFB4:
	.cfi_startproc
	hint	34 // bti c
	sub	sp, sp, #96
	.cfi_def_cfa_offset 96
	mov	w8, -56
	add	x10, sp, 32
	str	x10, [sp, 16]
	stp	w8, wzr, [sp, 24]
	stp	x1, x2, [sp, 40]
	add	x1, sp, 96
	stp	x1, x1, [sp]
	stp	x3, x4, [sp, 56]
	stp	x5, x6, [sp, 72]
	str	x7, [sp, 88]
	cmp	w0, 0
	ble	.L34
	add	x2, sp, 96
	sub	w9, w0, #1
	mov	w1, w8
	mov	x5, x2
	mov	x0, 0
	b	.L33
	.p2align 2,,3
.L37:
	mov	x3, x2
	sub	w9, w9, #1
	add	x2, x2, 8
	ldr	x3, [x3]
	add	x0, x0, x3
	cmn	w9, #1
	beq	.L28
.L33:
	add	w4, w1, 8
	tbz	w1, #31, .L37
	add	x3, x5, w1, sxtw
	mov	w1, w4
	cmp	w4, 0
	bgt	.L37
	ldr	x3, [x3]
	sub	w9, w9, #1
	add	x0, x0, x3
	cmn	w9, #1
	bne	.L33
.L28:
	add	sp, sp, 96
	.cfi_remember_state
	.cfi_def_cfa_offset 0
	ret
	.p2align 2,,3
.L34:
	.cfi_restore_state
	mov	x0, 0
	add	sp, sp, 96
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
.LFE4:
	.size	total, .-total
	.align	2
	.p2align 4,,11
	.global	fill
	.type	fill, %function
fill:
.LFB5:
	.cfi_startproc
	hint	34 // bti c
	and	w2, w2, 255
	cbz	x1, .L39
	add	x3, x0, x1
	.p2align 3,,7
.L41:
	mov	x1, x0
	add	x0, x0, 1
	strb	w2, [x1]
	cmp	x0, x3
	bne	.L41
.L39:
	ret
	.cfi_endproc
.LFE5:
	.size	fill, .-fill
	.align	2
	.p2align 4,,11
	.global	scratch
	.type	scratch, %function
scratch:
.LFB6:
	.cfi_startproc
	hint	25 // paciasp
	.cfi_window_save
	stp	x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	mov	x4, x0
	add	x0, x0, 15
	mov	x29, sp
	.cfi_def_cfa_register 29
	and	x1, x0, -65536
	sub	sp, sp, #16
	and	x0, x0, -16
	sub	x1, sp, x1
	cmp	sp, x1
	beq	.L48
.L51:
	sub	sp, sp, #65536
	str	xzr, [sp, 1024]
	cmp	sp, x1
	bne	.L51
.L48:
	and	x0, x0, 65535
	sub	sp, sp, x0
	str	xzr, [sp]
	cmp	x0, 1024
	bcs	.L52
.L49:
	add	x5, sp, 16
	mov	x1, x4
	lsr	x4, x4, 1
	mov	x0, x5
	mov	w2, 1
	bl	fill
	ldrb	w0, [x5, x4]
	mov	sp, x29
	ldp	x29, x30, [sp], 16
	.cfi_remember_state
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa 31, 0
	hint	29 // autiasp
	.cfi_window_save
	ret
	.p2align 2,,3
.L52:
	.cfi_restore_state
	str	xzr, [sp, 1024]
	b	.L49
	.cfi_endproc
.LFE6:
	.size	scratch, .-scratch
	.align	2
	.p2align 4,,11
	.global	aligned
	.type	aligned, %function
aligned:
.LFB7:
	.cfi_startproc
	hint	25 // paciasp
	.cfi_window_save
	stp	x29, x30, [sp, -128]!
	.cfi_def_cfa_offset 128
	.cfi_offset 29, -128
	.cfi_offset 30, -120
	add	x10, x0, 15
	mov	x29, sp
	.cfi_def_cfa_register 29
	mov	x11, x0
	and	x0, x10, -65536
	sub	sp, sp, #16
	add	x9, x29, 79
	sub	x0, sp, x0
	mov	x8, x1
	mov	x13, x2
	mov	x12, x3
	and	x10, x10, -16
	and	x9, x9, -64
	cmp	sp, x0
	beq	.L55
.L58:
	sub	sp, sp, #65536
	str	xzr, [sp, 1024]
	cmp	sp, x0
	bne	.L58
.L55:
	and	x10, x10, 65535
	sub	sp, sp, x10
	str	xzr, [sp]
	cmp	x10, 1024
	bcs	.L59
.L56:
	add	x10, sp, 16
	mov	w2, w6
	mov	x0, x9
	mov	x1, 64
	bl	fill
	mov	w2, w7
	mov	x1, x11
	mov	x0, x10
	add	x10, x10, x11
	bl	fill
	add	x2, x8, x13
	ldrb	w0, [x9, 3]
	add	x3, x2, x12
	ldrb	w1, [x10, -1]
	add	x4, x3, x4
	mov	sp, x29
	add	x5, x4, x5
	add	x0, x5, x0
	add	x0, x0, x1
	ldp	x29, x30, [sp], 128
	.cfi_remember_state
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa 31, 0
	hint	29 // autiasp
	.cfi_window_save
	ret
	.p2align 2,,3
.L59:
	.cfi_restore_state
	str	xzr, [sp, 1024]
	b	.L56
	.cfi_endproc
.LFE7:
	.size	aligned, .-aligned
	.align	2
	.p2align 4,,11
	.global	large
	.type	large, %function
large:
.LFB8:
	.cfi_startproc
	hint	25 // paciasp
	.cfi_window_save
	mov	x12, 20016
	sub	sp, sp, x12
	.cfi_def_cfa_offset 20016
	mov	w2, 2
	add	x0, sp, 16
	mov	x1, 20000
	stp	x29, x30, [sp]
	.cfi_offset 29, -20016
	.cfi_offset 30, -20008
	mov	x29, sp
	bl	fill
	add	x0, sp, 16384
	mov	x12, 20016
	ldp	x29, x30, [sp]
	ldrb	w0, [x0, 3631]
	add	sp, sp, x12
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	hint	29 // autiasp
	.cfi_window_save
	ret
	.cfi_endproc
.LFE8:
	.size	large, .-large
	.align	2
	.p2align 4,,11
	.global	choose
	.type	choose, %function
choose:
.LFB9:
	.cfi_startproc
	hint	34 // bti c
	mov	w2, w0
	mov	x0, x1
	cmp	w2, 3
	beq	.L63
	bgt	.L64
	cmp	w2, 1
	beq	.L65
	cmp	w2, 2
	bne	.L71
	b	large
	.p2align 2,,3
.L64:
	cmp	w2, 4
	beq	.L69
	cmp	w2, 5
	bne	.L62
	mov	x2, 0
	mov	x1, 0
	mov	x0, 0
	b	walk
	.p2align 2,,3
.L71:
	cbnz	w2, .L62
	mov	w0, 1
	b	total
	.p2align 2,,3
.L63:
	mov	x7, 7
	mov	x6, 6
	mov	x5, 5
	mov	x4, 4
	mov	x3, 3
	mov	x2, 2
	mov	x1, 1
	b	aligned
	.p2align 2,,3
.L65:
	b	scratch
	.p2align 2,,3
.L69:
	mov	x3, x1
	mov	x2, x1
	mov	w0, 3
	b	total
	.p2align 2,,3
.L62:
	mov	x0, 0
	ret
	.cfi_endproc
.LFE9:
	.size	choose, .-choose
	.align	2
	.p2align 4,,11
	.type	visit, %function
visit:
.LFB10:
	.cfi_startproc
	hint	34 // bti c
	ldr	x1, [x1]
	ldr	w0, [x0, 24]
	b	choose
	.cfi_endproc
.LFE10:
	.size	visit, .-visit
	.section	.text.startup,"ax",@progbits
	.align	2
	.p2align 4,,11
	.global	main
	.type	main, %function
main:
.LFB11:
	.cfi_startproc
	hint	25 // paciasp
	.cfi_window_save
	stp	x29, x30, [sp, -32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	adrp	x8, .LANCHOR1
	mov	x29, sp
	add	x8, x8, :lo12:.LANCHOR1
	mov	x0, 40
	mov	x7, 0
	mov	x2, 0
	str	x0, [sp, 24]
	.p2align 3,,7
.L74:
	ldr	x1, [x8, x7, lsl 3]
	mov	x0, x2
	mov	x2, x7
	add	x7, x7, 1
	bl	insert
	mov	x2, x0
	cmp	x7, 6
	bne	.L74
	add	x2, sp, 24
	adrp	x1, visit
	add	x1, x1, :lo12:visit
	bl	walk
	ldp	x29, x30, [sp], 32
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	hint	29 // autiasp
	.cfi_window_save
	ret
	.cfi_endproc
.LFE11:
	.size	main, .-main
	.section	.rodata.str1.8,"aMS",@progbits,1
	.align	3
.LC0:
	.string	"hop"
	.align	3
.LC1:
	.string	"bar"
	.align	3
.LC2:
	.string	"foo"
	.align	3
.LC3:
	.string	"qux"
	.align	3
.LC4:
	.string	"baz"
	.align	3
.LC5:
	.string	"zap"
	.bss
	.align	3
	.set	.LANCHOR0,. + 0
	.type	used, %object
	.size	used, 4
used:
	.zero	4
	.zero	4
	.type	pool, %object
	.size	pool, 2048
pool:
	.zero	2048
	.section	.data.rel.ro.local,"aw"
	.align	4
	.set	.LANCHOR1,. + 0
	.type	keys.0, %object
	.size	keys.0, 48
keys.0:
	.xword	.LC0
	.xword	.LC1
	.xword	.LC2
	.xword	.LC3
	.xword	.LC4
	.xword	.LC5
	.section	.note.GNU-stack,"",@progbits
	.section	.note.gnu.property,"a"
	.align	3
	.word	4
	.word	16
	.word	5
	.string	"GNU"
	.word	3221225472
	.word	4
	.word	3
	.align	3
