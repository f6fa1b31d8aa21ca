# CFI that forgets the pop before the return.
	.globl	saves
	.type	saves, @function
saves:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	nop
	popq	%rbx
	ret
	.cfi_endproc
	.size	saves, .-saves
	.section .note.GNU-stack,"",@progbits
