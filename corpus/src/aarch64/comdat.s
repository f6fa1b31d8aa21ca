// One inline function in a COMDAT group beside a function outside. WHO sets two objects apart.
	.section .text.inline1,"axG",%progbits,inline1,comdat
	.weak	inline1
	.type	inline1, %function
inline1:
	.cfi_startproc
	sub	sp, sp, #16
	.cfi_def_cfa_offset 16
	add	sp, sp, #16
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.size	inline1, .-inline1

	.text
.if WHO
	.globl	user1
	.type	user1, %function
user1:
.else
	.globl	main
	.type	main, %function
main:
.endif
	.cfi_startproc
	stp	x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	bl	inline1
	ldp	x29, x30, [sp], 16
	.cfi_restore x30
	.cfi_restore x29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
	.section .note.GNU-stack,"",%progbits
