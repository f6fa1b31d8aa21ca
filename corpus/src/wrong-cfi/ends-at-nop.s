# The CFI ends before a part of the function that begins with a nop, to which the function jumps.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	movl	%edi, %ebx
	testl	%edi, %edi
	js	1f
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
1:	nop
	negl	%ebx
	movl	%ebx, %eax
	popq	%rbx
	ret
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
