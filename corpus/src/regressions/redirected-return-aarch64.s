# The return leads elsewhere on purpose, by an address in RA's slot, which is loaded from an SP that is masked as
# -mtrack-speculation does.
	.text
	.globl f
	.type f, %function
f:	.cfi_startproc
	stp x29, x30, [sp, -32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	mov x29, sp
	.cfi_def_cfa_register 29
	str x1, [x29, 8]
	mov x14, sp
	and x14, x14, x15
	mov sp, x14
	ldp x29, x30, [sp], 32
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa 31, 0
	ret
	.cfi_endproc
	.size f, .-f
