// One section for each function, one of them start-up code and one read-only data.
	.section .text.hot,"ax",%progbits
	.globl	hot
	.type	hot, %function
hot:
	.cfi_startproc
	sub	sp, sp, #16
	.cfi_def_cfa_offset 16
	add	sp, sp, #16
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	hot, .-hot

	.section .init.text,"ax",%progbits
	.globl	setup
	.type	setup, %function
setup:
	.cfi_startproc
	stp	x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	bl	hot
	ldp	x29, x30, [sp], 16
	.cfi_restore x30
	.cfi_restore x29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	setup, .-setup

	.section .rodata.text,"a",%progbits
	.globl	relocated
	.type	relocated, %function
relocated:
	.cfi_startproc
	nop
	ret
	.cfi_endproc
	.size	relocated, .-relocated
	.section .note.GNU-stack,"",%progbits
