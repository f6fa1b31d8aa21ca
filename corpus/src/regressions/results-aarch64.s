// The rows of the functions before the label right were taken for right once: amounts that come of arguments, words that
// instructions overwrite without a register, conditional loads, and joins of values that are no frame.

	.arch armv9-a+pauth+lse
	.text

	.type amt_bic,%function
amt_bic:	.cfi_startproc
	stp x29,x30,[sp,-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29,-32
	.cfi_offset 30,-24
	mov x29,sp
	.cfi_def_cfa_register 29
	bic x1,x0,x2
	sub sp,sp,x1
	.cfi_def_cfa sp,64
	nop
	nop
	.cfi_def_cfa 29,32
	mov sp,x29
	.cfi_def_cfa sp,32
	ldp x29,x30,[sp],32
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size amt_bic,.-amt_bic

	.type amt_csel,%function
amt_csel:	.cfi_startproc
	stp x29,x30,[sp,-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29,-32
	.cfi_offset 30,-24
	mov x29,sp
	.cfi_def_cfa_register 29
	mov x1,256
	cmp x0,256
	csel x1,x0,x1,lo
	sub sp,sp,x1
	.cfi_def_cfa sp,64
	nop
	nop
	.cfi_def_cfa 29,32
	mov sp,x29
	.cfi_def_cfa sp,32
	ldp x29,x30,[sp],32
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size amt_csel,.-amt_csel

	.type amt_asrv,%function
amt_asrv:	.cfi_startproc
	stp x29,x30,[sp,-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29,-32
	.cfi_offset 30,-24
	mov x29,sp
	.cfi_def_cfa_register 29
	asr x1,x0,x2
	sub sp,sp,x1
	.cfi_def_cfa sp,64
	nop
	nop
	.cfi_def_cfa 29,32
	mov sp,x29
	.cfi_def_cfa sp,32
	ldp x29,x30,[sp],32
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size amt_asrv,.-amt_asrv

	.type amt_cntd,%function
amt_cntd:	.cfi_startproc
	stp x29,x30,[sp,-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29,-32
	.cfi_offset 30,-24
	mov x29,sp
	.cfi_def_cfa_register 29
	cntd x1
	lsl x1,x1,3
	sub sp,sp,x1
	.cfi_def_cfa sp,64
	nop
	nop
	.cfi_def_cfa 29,32
	mov sp,x29
	.cfi_def_cfa sp,32
	ldp x29,x30,[sp],32
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size amt_cntd,.-amt_cntd

	.type amt_spillw,%function
amt_spillw:	.cfi_startproc
	stp x29,x30,[sp,-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29,-32
	.cfi_offset 30,-24
	mov x29,sp
	.cfi_def_cfa_register 29
	str w0,[x29,28]
	ldr w1,[x29,28]
	sub sp,sp,x1
	.cfi_def_cfa sp,64
	nop
	nop
	.cfi_def_cfa 29,32
	mov sp,x29
	.cfi_def_cfa sp,32
	ldp x29,x30,[sp],32
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size amt_spillw,.-amt_spillw

	.type cond_pacia,%function
cond_pacia:	.cfi_startproc
	stp x29,x30,[sp,-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 30,-8
	pacia x29,x1
	bl ext
	ldp x29,x30,[sp],16
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size cond_pacia,.-cond_pacia

	.type slot_dczva,%function
slot_dczva:	.cfi_startproc
	stp x29,x30,[sp,-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29,-32
	.cfi_offset 30,-24
	mov x29,sp
	.cfi_def_cfa_register 29
	dc zva,x29
	bl ext
	mov sp,x29
	.cfi_def_cfa sp,32
	ldp x29,x30,[sp],32
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size slot_dczva,.-slot_dczva

	.type slot_strsve,%function
slot_strsve:	.cfi_startproc
	stp x29,x30,[sp,-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29,-32
	.cfi_offset 30,-24
	mov x29,sp
	.cfi_def_cfa_register 29
	str z0,[x29]
	bl ext
	mov sp,x29
	.cfi_def_cfa sp,32
	ldp x29,x30,[sp],32
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size slot_strsve,.-slot_strsve

	.type join_fpmalloc,%function
join_fpmalloc:	.cfi_startproc
	stp x29,x30,[sp,-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29,-32
	.cfi_offset 30,-24
	cbz x0,1f
	bl malloc
	mov x29,x0
1:	.cfi_def_cfa 29,32
	bl ext
	.cfi_def_cfa sp,32
	ldp x29,x30,[sp],32
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size join_fpmalloc,.-join_fpmalloc


right:

	.type ok_mul0,%function
ok_mul0:	.cfi_startproc
	stp x29,x30,[sp,-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29,-32
	.cfi_offset 30,-24
	mov x29,sp
	.cfi_def_cfa_register 29
	mov x1,0
	mul x1,x0,x1
	sub sp,sp,x1
	.cfi_def_cfa sp,32
	bl ext
	.cfi_def_cfa 29,32
	mov sp,x29
	.cfi_def_cfa sp,32
	ldp x29,x30,[sp],32
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size ok_mul0,.-ok_mul0
