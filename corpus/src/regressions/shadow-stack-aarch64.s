# The epilogue restores SP before RA, which it takes from the shadow call stack: the slot below SP loses nothing.
	.text
	.globl f
	.type f, %function
f:	.cfi_startproc
	str x30, [x18], 8
	sub sp, sp, 48
	.cfi_def_cfa_offset 48
	str x30, [sp, 32]
	.cfi_offset 30, -16
	bl g
	add sp, sp, 48
	.cfi_def_cfa_offset 0
	ldr x30, [x18, -8]!
	.cfi_restore 30
	ret
	.cfi_endproc
	.size f, .-f
