# The bounds check of a switch whose default is __builtin_unreachable jumps to where the function ends,
# as clang writes it: there is what fills the space before the next function.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	movl	%edi, %ebx
	call	g
	btl	%ebx, %eax
	jae	1f
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	f, .-f
1:	.p2align 4, 0xcc
	.globl	g
	.type	g, @function
g:
	.cfi_startproc
	movl	$5, %eax
	ret
	.cfi_endproc
	.size	g, .-g
	.section .note.GNU-stack,"",@progbits
