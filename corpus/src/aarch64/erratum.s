// A load before a multiplication, which erratum 835769 of Cortex-A53 makes wrong: a linker that
// avoids it moves the multiplication to a veneer.
	.text
	.globl	scale
	.type	scale, %function
scale:
	.cfi_startproc
	stp	x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	mov	x29, sp
	ldr	x1, [x0]
	madd	x2, x3, x4, x5
	mov	x0, x2
	ldp	x29, x30, [sp], 16
	.cfi_restore x30
	.cfi_restore x29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	scale, .-scale
