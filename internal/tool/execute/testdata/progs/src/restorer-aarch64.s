// The trampoline of signal handlers. Its CFI cannot be expressed in SFrame, except
// that it is a signal frame; debuggers recognize its name or instructions.
	.cfi_sections .sframe
	.text
	.balign	16
	nop
	.globl	__restore_rt
	.type	__restore_rt, @function
__restore_rt:
	.cfi_startproc
	.cfi_signal_frame
	.cfi_escape 0x0f, 0x04, 0x8f, 0xb0, 0x04, 0x06
	mov	x8, 139
	svc	0
	.cfi_endproc
	.size	__restore_rt, .-__restore_rt
