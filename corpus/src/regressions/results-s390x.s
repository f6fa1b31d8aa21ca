# The rows of the functions before the label right were taken for right once: amounts that come of arguments, words that
# instructions overwrite without a register, conditional loads, and joins of values that are no frame.

	.machine z15
	.text

	.type amt_locgr,%function
amt_locgr:	.cfi_startproc
	stmg %r11,%r15,88(%r15)
	.cfi_offset 11,-72
	.cfi_offset 14,-48
	.cfi_offset 15,-40
	aghi %r15,-160
	.cfi_def_cfa_offset 320
	lgr %r11,%r15
	.cfi_def_cfa_register 11
	lghi %r1,256
	clgfi %r2,256
	locgrl %r1,%r2
	sgr %r15,%r1
	.cfi_def_cfa 15,400
	nopr %r7
	nopr %r7
	.cfi_def_cfa 11,320
	lmg %r11,%r15,248(%r11)
	.cfi_def_cfa 15,160
	.cfi_restore 11
	.cfi_restore 14
	.cfi_restore 15
	br %r14
	.cfi_endproc
	.size amt_locgr,.-amt_locgr

	.type amt_spill32,%function
amt_spill32:	.cfi_startproc
	stmg %r11,%r15,88(%r15)
	.cfi_offset 11,-72
	.cfi_offset 14,-48
	.cfi_offset 15,-40
	aghi %r15,-160
	.cfi_def_cfa_offset 320
	lgr %r11,%r15
	.cfi_def_cfa_register 11
	st %r2,160(%r11)
	lgf %r1,160(%r11)
	sgr %r15,%r1
	.cfi_def_cfa 15,400
	nopr %r7
	nopr %r7
	.cfi_def_cfa 11,320
	lmg %r11,%r15,248(%r11)
	.cfi_def_cfa 15,160
	.cfi_restore 11
	.cfi_restore 14
	.cfi_restore 15
	br %r14
	.cfi_endproc
	.size amt_spill32,.-amt_spill32

	.type amt_ogr,%function
amt_ogr:	.cfi_startproc
	stmg %r11,%r15,88(%r15)
	.cfi_offset 11,-72
	.cfi_offset 14,-48
	.cfi_offset 15,-40
	aghi %r15,-160
	.cfi_def_cfa_offset 320
	lgr %r11,%r15
	.cfi_def_cfa_register 11
	ogr %r2,%r3
	sgr %r15,%r2
	.cfi_def_cfa 15,400
	nopr %r7
	nopr %r7
	.cfi_def_cfa 11,320
	lmg %r11,%r15,248(%r11)
	.cfi_def_cfa 15,160
	.cfi_restore 11
	.cfi_restore 14
	.cfi_restore 15
	br %r14
	.cfi_endproc
	.size amt_ogr,.-amt_ogr

	.type amt_flogr,%function
amt_flogr:	.cfi_startproc
	stmg %r11,%r15,88(%r15)
	.cfi_offset 11,-72
	.cfi_offset 14,-48
	.cfi_offset 15,-40
	aghi %r15,-160
	.cfi_def_cfa_offset 320
	lgr %r11,%r15
	.cfi_def_cfa_register 11
	flogr %r0,%r2
	sgr %r15,%r0
	.cfi_def_cfa 15,400
	nopr %r7
	nopr %r7
	.cfi_def_cfa 11,320
	lmg %r11,%r15,248(%r11)
	.cfi_def_cfa 15,160
	.cfi_restore 11
	.cfi_restore 14
	.cfi_restore 15
	br %r14
	.cfi_endproc
	.size amt_flogr,.-amt_flogr

	.type amt_lgdr,%function
amt_lgdr:	.cfi_startproc
	stmg %r11,%r15,88(%r15)
	.cfi_offset 11,-72
	.cfi_offset 14,-48
	.cfi_offset 15,-40
	aghi %r15,-160
	.cfi_def_cfa_offset 320
	lgr %r11,%r15
	.cfi_def_cfa_register 11
	lgdr %r1,%f0
	sgr %r15,%r1
	.cfi_def_cfa 15,400
	nopr %r7
	nopr %r7
	.cfi_def_cfa 11,320
	lmg %r11,%r15,248(%r11)
	.cfi_def_cfa 15,160
	.cfi_restore 11
	.cfi_restore 14
	.cfi_restore 15
	br %r14
	.cfi_endproc
	.size amt_lgdr,.-amt_lgdr

	.type amt_pop,%function
amt_pop:	.cfi_startproc
	stmg %r11,%r15,88(%r15)
	.cfi_offset 11,-72
	.cfi_offset 14,-48
	.cfi_offset 15,-40
	aghi %r15,-160
	.cfi_def_cfa_offset 320
	lgr %r11,%r15
	.cfi_def_cfa_register 11
	popcnt %r1,%r2
	sgr %r15,%r1
	.cfi_def_cfa 15,400
	nopr %r7
	nopr %r7
	.cfi_def_cfa 11,320
	lmg %r11,%r15,248(%r11)
	.cfi_def_cfa 15,160
	.cfi_restore 11
	.cfi_restore 14
	.cfi_restore 15
	br %r14
	.cfi_endproc
	.size amt_pop,.-amt_pop

	.type cond_locg,%function
cond_locg:	.cfi_startproc
	stmg %r10,%r15,80(%r15)
	.cfi_offset 10,-80
	.cfi_offset 14,-48
	.cfi_offset 15,-40
	aghi %r15,-160
	.cfi_def_cfa_offset 320
	ltgr %r2,%r2
	locge %r11,0(%r3)
	brasl %r14,ext
	lmg %r10,%r15,240(%r15)
	.cfi_def_cfa 15,160
	.cfi_restore 10
	.cfi_restore 14
	.cfi_restore 15
	br %r14
tmpl_cond_locg:	lgr %r11,%r3
	.cfi_endproc
	.size cond_locg,.-cond_locg

	.type cond_exrl,%function
cond_exrl:	.cfi_startproc
	stmg %r10,%r15,80(%r15)
	.cfi_offset 10,-80
	.cfi_offset 14,-48
	.cfi_offset 15,-40
	aghi %r15,-160
	.cfi_def_cfa_offset 320
	exrl %r0,tmpl_cond_exrl
	brasl %r14,ext
	lmg %r10,%r15,240(%r15)
	.cfi_def_cfa 15,160
	.cfi_restore 10
	.cfi_restore 14
	.cfi_restore 15
	br %r14
tmpl_cond_exrl:	lgr %r11,%r3
	.cfi_endproc
	.size cond_exrl,.-cond_exrl

	.type slot_mvc,%function
slot_mvc:	.cfi_startproc
	stmg %r11,%r15,88(%r15)
	.cfi_offset 11,-72
	.cfi_offset 14,-48
	.cfi_offset 15,-40
	aghi %r15,-160
	.cfi_def_cfa_offset 320
	lgr %r11,%r15
	.cfi_def_cfa_register 11
	larl %r1,g
	mvc 248(8,%r11),0(%r1)
	brasl %r14,ext
	lmg %r11,%r15,248(%r11)
	.cfi_def_cfa 15,160
	.cfi_restore 11
	.cfi_restore 14
	.cfi_restore 15
	br %r14
	.cfi_endproc
	.size slot_mvc,.-slot_mvc

	.type join_fpmalloc,%function
join_fpmalloc:	.cfi_startproc
	stmg %r11,%r15,88(%r15)
	.cfi_offset 11,-72
	.cfi_offset 14,-48
	.cfi_offset 15,-40
	aghi %r15,-160
	.cfi_def_cfa_offset 320
	ltgr %r2,%r2
	je 1f
	brasl %r14,malloc
	lgr %r11,%r2
1:	.cfi_def_cfa_register 11
	brasl %r14,ext
	.cfi_def_cfa_register 15
	lmg %r11,%r15,248(%r15)
	.cfi_def_cfa 15,160
	.cfi_restore 11
	.cfi_restore 14
	.cfi_restore 15
	br %r14
	.cfi_endproc
	.size join_fpmalloc,.-join_fpmalloc

	.type ra_f2late,%function
ra_f2late:	.cfi_startproc
	ldgr %f2,%r14
	.cfi_register 14,17
	brasl %r14,g_ra_f2late
	lgdr %r14,%f2
	.cfi_restore 14
	br %r14
	.cfi_endproc
	.size ra_f2late,.-ra_f2late
	.type g_ra_f2late,%function
g_ra_f2late:	.cfi_startproc
	ltgr %r2,%r2
	je 1f
	lgr %r1,%r2
1:	lzdr %f2
	br %r14
	.cfi_endproc
