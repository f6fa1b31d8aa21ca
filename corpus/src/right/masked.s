// Registers that are restored by clang's -mspeculative-load-hardening: x16 has only ones, unless the processor speculates.
// At the end RA is in its register again while FP is still saved, so that the assembler writes no FDE for "shadowed".
	.text
	.globl	masked
	.type	masked, %function
masked:
	.cfi_startproc
	cmp	sp, #0
	csetm	x16, ne
	sub	sp, sp, #32
	.cfi_def_cfa_offset 32
	stp	x29, x30, [sp, #16]
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	bl	outside
	cmp	sp, #0
	csetm	x16, ne
	ldp	x29, x30, [sp, #16]
	.cfi_restore x29
	.cfi_restore x30
	and	x29, x29, x16
	and	x30, x30, x16
	csdb
	add	sp, sp, #32
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	masked, .-masked

	.globl	shadowed
	.type	shadowed, %function
shadowed:
	.cfi_startproc
	str	x30, [x18], #8
	stp	x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	bl	outside
	ldr	x30, [x18, #-8]!
	.cfi_restore x30
	ldr	x29, [sp], #32
	.cfi_restore x29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	shadowed, .-shadowed

	.globl	last
	.type	last, %function
last:
	.cfi_startproc
	ret
	.cfi_endproc
	.size	last, .-last
