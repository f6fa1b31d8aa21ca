// A signal trampoline whose rules cannot be stated, and a signal frame with plain rules.
	.text
	.globl	restore_rt
	.type	restore_rt, %function
restore_rt:
	.cfi_startproc
	.cfi_signal_frame
	.cfi_escape 0x0f,0x04,0x8f,0xd0,0x02,0x06	// CFA = *(sp+336)
	.cfi_escape 0x10,0x1e,0x03,0x8f,0xc8,0x02	// x30 at sp+328
	mov	x8, #139
	svc	#0
	.cfi_endproc
	.size	restore_rt, .-restore_rt

	.globl	sigreturn
	.type	sigreturn, %function
sigreturn:
	.cfi_startproc
	.cfi_signal_frame
	.cfi_def_cfa x29, 0
	.cfi_offset x29, 0
	.cfi_offset x30, 8
	mov	x8, #139
	svc	#0
	.cfi_endproc
	.size	sigreturn, .-sigreturn
	.section .note.GNU-stack,"",%progbits
