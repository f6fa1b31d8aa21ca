# The return address is undefined: the frame is the outermost one.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	.cfi_undefined 16
	nop
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
