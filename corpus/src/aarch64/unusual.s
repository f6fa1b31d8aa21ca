// Functions that begin with instructions to be patched, which no CFI describes.
	.text
	.globl	patched
	.type	patched, %function
patched:
	nop
	nop
	.cfi_startproc
	stp	x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov	x29, sp
	bl	patched_leaf
	ldp	x29, x30, [sp], 16
	.cfi_restore x30
	.cfi_restore x29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	patched, .-patched

	.globl	patched_leaf
	.type	patched_leaf, %function
patched_leaf:
	nop
	nop
	.cfi_startproc
	add	w0, w0, 1
	ret
	.cfi_endproc
	.size	patched_leaf, .-patched_leaf
	.section .note.GNU-stack,"",%progbits
