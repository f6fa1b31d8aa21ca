	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	ret
	.cfi_endproc
	.size	f, .-f
