# The slot of x29 is an expression on sp: it is wrong as soon as sp is lowered again. The assembler
# writes no FDE for it.
	.text
	.globl	f
	.type	f, %function
f:
	.cfi_startproc
	stp	x28, x29, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_escape 0x10, 29, 2, 0x8f, 8
	stp	x19, x20, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	mov	x29, x0
	ldr	x0, [x29]
	ldp	x19, x20, [sp], #16
	.cfi_adjust_cfa_offset -16
	ldp	x28, x29, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore 29
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
