# Signal frames: rules no FDE can state, and plain ones.
	.text
	.globl	restore_rt
	.type	restore_rt, @function
restore_rt:
	.cfi_startproc
	.cfi_signal_frame
	.cfi_escape 0x0f,0x04,0x7f,0xa0,0x03,0x06	# CFA = *(r15+416)
	svc	173
	.cfi_endproc
	.size	restore_rt, .-restore_rt

	.globl	interrupted
	.type	interrupted, @function
interrupted:
	.cfi_startproc
	.cfi_signal_frame
	.cfi_offset 14, -48
	.cfi_offset 11, -72
	svc	119
	.cfi_endproc
	.size	interrupted, .-interrupted
	.section .note.GNU-stack,"",@progbits
