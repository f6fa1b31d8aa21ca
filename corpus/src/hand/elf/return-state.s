# CFI that forgets the pop before the return. Nothing shows that a jump leads there.
	.globl	saves
	.type	saves, @function
saves:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	jmp	*%rax
	popq	%rbx
	ret
	.cfi_endproc
	.size	saves, .-saves
	.section .note.GNU-stack,"",@progbits
