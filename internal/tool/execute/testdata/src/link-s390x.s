# A program that goes to a function as the stubs of mold do: "basr" with a link register that is not RA.
	.text
	.globl _start
	.type _start, @function
_start:
	.cfi_startproc
	.cfi_undefined r14
	lghi %r11, 0
	brasl %r14, caller
	lghi %r2, 0
	lghi %r1, 1
	svc 0
	.cfi_endproc
	.size _start, .-_start

	.type caller, @function
caller:
	.cfi_startproc
	stmg %r11, %r15, 88(%r15)
	.cfi_offset r11, -72
	.cfi_offset r14, -48
	.cfi_offset r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, stub
	brasl %r14, stub
	lmg %r11, %r15, 248(%r15)
	.cfi_restore r11
	.cfi_restore r14
	.cfi_restore r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size caller, .-caller

	.type stub, @function
stub:
	.cfi_startproc
	larl %r1, callee
	basr %r0, %r1
	.cfi_endproc
	.size stub, .-stub

	.type callee, @function
callee:
	.cfi_startproc
	stmg %r14, %r15, 112(%r15)
	.cfi_offset r14, -48
	.cfi_offset r15, -40
	aghi %r15, -160
	.cfi_def_cfa_offset 320
	brasl %r14, leaf
	lmg %r14, %r15, 272(%r15)
	.cfi_restore r14
	.cfi_restore r15
	.cfi_def_cfa_offset 160
	br %r14
	.cfi_endproc
	.size callee, .-callee

	.type leaf, @function
leaf:
	.cfi_startproc
	lghi %r2, 1
	br %r14
	.cfi_endproc
	.size leaf, .-leaf
