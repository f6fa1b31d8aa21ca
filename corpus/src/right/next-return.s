# A function returns to the second byte after its call: the return address is counted up in its place.
	.cfi_sections .sframe
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	incq	(%rsp)
	movl	$1, %eax
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
