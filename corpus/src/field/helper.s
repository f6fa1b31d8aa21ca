# A function that lost its FDE: the file is assembled without SFrame data.
	.text
	.globl	helper
	.type	helper, @function
helper:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	call	vast
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	helper, .-helper
	.section .note.GNU-stack,"",@progbits
