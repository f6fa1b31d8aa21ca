# One row of each function is wrong, where the code was not followed far enough once.

	.macro begin name
	.text
	.globl \name
	.type \name, %function
\name:	.cfi_startproc
	stp x29, x30, [sp, -32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	.endm
	.macro end name
	ldp x29, x30, [sp], 32
	.cfi_restore 29
	.cfi_restore 30
	.cfi_def_cfa 31, 0
	ret
	.cfi_endproc
	.size \name, .-\name
	.endm

	begin masked			// the argument is masked and multiplied
	mov x29, sp
	and w0, w0, 255
	mov w1, 24
	mul w0, w0, w1
	sub sp, sp, x0
	bl g				// the CFA is x29+32
	mov sp, x29
	end masked

	begin scalable			// the length of vectors is not the same on all machines
	mov x29, sp
	addvl sp, sp, -1
	bl g				// the CFA is x29+32
	mov sp, x29
	end scalable

	begin abroad			// another stack, and back: the row after that is wrong
	mov x29, sp
	.cfi_def_cfa 29, 32
	mov sp, x0
	blr x1
	mov sp, x29
	.cfi_def_cfa 31, 48
	nop
	.cfi_def_cfa 31, 32
	end abroad

	begin vectors			// the slots of FP and RA are overwritten
	mov x29, x0
	stp q0, q1, [sp]
	ldr x0, [x29]
	end vectors
