# A stub pushes its number and goes to the first one, which is entered with that on the stack.
	.section .plt,"ax",@progbits
	.type	lazy, @function
lazy:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	pushq	8(%rip)
	.cfi_def_cfa_offset 24
	jmp	*16(%rip)
	.cfi_endproc
	.size	lazy, .-lazy
	.balign	16
	.text
	.globl	user
	.type	user, @function
user:
	.cfi_startproc
	call	lazy
	ret
	.cfi_endproc
	.size	user, .-user
	.section .note.GNU-stack,"",@progbits
