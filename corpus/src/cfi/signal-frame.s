# A signal frame.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	.cfi_signal_frame
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
