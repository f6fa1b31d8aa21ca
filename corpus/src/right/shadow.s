// A shadow call stack: RA is restored from where x18 points. The compilers are GCC and clang with
// -fsanitize=shadow-call-stack, as for Linux.
	.text
	.globl	shadowed
	.type	shadowed, %function
shadowed:
	.cfi_startproc
	str	x30, [x18], #8
	stp	x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	mov	x29, sp
	str	x19, [sp, #16]
	.cfi_offset x19, -16
	bl	outside
	ldr	x19, [sp, #16]
	.cfi_restore x19
	ldr	x29, [sp]
	.cfi_restore x29
	ldr	x30, [x18, #-8]!
	.cfi_restore x30
	add	sp, sp, #32
	.cfi_def_cfa_offset 0
	add	x0, x0, #1
	ret
	.cfi_endproc
	.size	shadowed, .-shadowed
