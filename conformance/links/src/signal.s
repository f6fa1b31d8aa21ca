# A signal frame.
	.include "arch.inc"
	.globl	handler
	.type	handler, %function
handler:
	.cfi_startproc
	.cfi_signal_frame
	nop
	nop
	.cfi_endproc
	.size	handler, .-handler
	fn	s0, 2
