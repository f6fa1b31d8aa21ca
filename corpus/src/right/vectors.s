// A loop over an array of 24 bytes that clang has vectorized: its blocks of 32 bytes reach the saved x29, as its length
// could be larger than the array for all that the compiler knows. It never is, so the loop is never executed.
	.text
	.globl open
	.type open, %function
open:
	.cfi_startproc
	sub sp, sp, #0x50
	.cfi_def_cfa_offset 80
	stp x29, x30, [sp, #48]
	.cfi_offset x29, -32
	.cfi_offset x30, -24
	str x19, [sp, #64]
	.cfi_offset x19, -16
	add x29, sp, #48
	.cfi_def_cfa x29, 32
	mov x19, x0
	cbz x1, 3f
	bl length
	cbz x0, 2f
	cmp x0, #0x20
	b.lo 2f
	and x8, x0, #0xffffffffffffffe0
	add x10, sp, #0x18
	add x10, x10, #0x10
1:
	ldp q0, q1, [x19], #32
	subs x8, x8, #0x20
	ldp q2, q3, [x10, #-16]
	stp q0, q1, [x10, #-16]
	add x10, x10, #0x20
	b.ne 1b
2:
	add x0, sp, #0x18
	bl use
3:
	ldr x19, [sp, #64]
	ldp x29, x30, [sp, #48]
	add sp, sp, #0x50
	.cfi_def_cfa sp, 0
	.cfi_restore x19
	.cfi_restore x29
	.cfi_restore x30
	ret
	.cfi_endproc
	.size open, .-open
	.globl length
	.type length, %function
length:
	.cfi_startproc
	ldr x0, [x0, #8]
	ret
	.cfi_endproc
	.size length, .-length
