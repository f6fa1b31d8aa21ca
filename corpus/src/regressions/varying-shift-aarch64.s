# Rows that count from SP after an argument that was shifted or extended is subtracted: no constant offset is right.
	.text
	.globl f
	.type f, %function
f:	.cfi_startproc
	stp x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	mov x29, sp
	lsl x0, x0, #4
	sub sp, sp, x0
	mov x0, sp		// the CFA is x29+16
	bl g
	mov sp, x29
	ldp x29, x30, [sp], 16
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size f, .-f
