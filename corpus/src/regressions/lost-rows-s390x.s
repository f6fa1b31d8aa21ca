# One row of each function is wrong, where the code was not followed far enough once.

	.macro begin name
	.text
	.globl \name
	.type \name, @function
\name:	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset 11, -72
	.cfi_offset 14, -48
	.cfi_offset 15, -40
	lay %r15, -160(%r15)
	.cfi_def_cfa_offset 320
	lgr %r11, %r15
	.endm
	.macro end name
	lgr %r15, %r11
	lmg %r11, %r15, 248(%r15)
	.cfi_restore 11
	.cfi_restore 14
	.cfi_restore 15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size \name, .-\name
	.endm

	begin extended			# the argument is extended and scaled
	llgfr %r2, %r2
	msgfi %r2, 24
	sgr %r15, %r2
	brasl %r14, g			# the CFA is r11+320
	end extended

	begin inserted			# bits of the argument
	risbgn %r1, %r2, 52, 188, 4
	sgr %r15, %r1
	brasl %r14, g			# the CFA is r11+320
	end inserted

	.text				# RA's slot is overwritten after RA was reloaded
	.globl reloaded
	.type reloaded, @function
reloaded:
	.cfi_startproc
	stg %r14, 112(%r15)
	.cfi_offset 14, -48
	lay %r15, -160(%r15)
	.cfi_def_cfa_offset 320
	lghi %r14, 5
	lg %r14, 272(%r15)
	lghi %r1, 5
	stg %r1, 272(%r15)
	nopr				# RA is in r14
	lay %r15, 160(%r15)
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size reloaded, .-reloaded

	.globl floats			# a callee overwrites the registers that have RA and FP
	.type floats, @function
floats:	.cfi_startproc
	ldgr %f2, %r14
	.cfi_register 14, 17
	ldgr %f0, %r11
	.cfi_register 11, 16
	lgr %r11, %r2
	brasl %r14, zero
	lgdr %r14, %f2
	.cfi_restore 14
	lgdr %r11, %f0
	.cfi_restore 11
	br %r14
	.cfi_endproc
	.size floats, .-floats
	.type zero, @function
zero:	.cfi_startproc
	lzdr %f0
	lzdr %f2
	br %r14
	.cfi_endproc
	.size zero, .-zero
