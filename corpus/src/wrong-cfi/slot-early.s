# The directive that x30 is saved comes one instruction before that.
	.text
	.globl	f
	.type	f, %function
f:
	.cfi_startproc
	sub	sp, sp, #16
	.cfi_adjust_cfa_offset 16
	.cfi_offset 30, -8
	str	x30, [sp, #8]
	bl	g
	ldr	x30, [sp, #8]
	add	sp, sp, #16
	.cfi_adjust_cfa_offset -16
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
