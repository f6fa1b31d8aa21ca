// CFI that does not say that the return address is signed.
	.arch	armv8.3-a
	.globl	signs
	.type	signs, %function
signs:
	.cfi_startproc
	paciasp
	stp	x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	bl	signs
	ldp	x29, x30, [sp], 16
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa_offset 0
	retaa
	.cfi_endproc
	.size	signs, .-signs
	.section .note.GNU-stack,"",%progbits
