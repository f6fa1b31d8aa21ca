// The functions a shared object exports. "provided" calls "other" through its own PLT.
	.text
	.globl	provided
	.type	provided, %function
provided:
	.cfi_startproc
	stp	x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	bl	other
	ldp	x29, x30, [sp], 16
	.cfi_restore x30
	.cfi_restore x29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	provided, .-provided

	.globl	other
	.type	other, %function
other:
	.cfi_startproc
	mov	w0, #0
	ret
	.cfi_endproc
	.size	other, .-other
	.section .note.GNU-stack,"",%progbits
