# A signal trampoline in two spellings: one whose rules SFrame can state with a
# flexible FDE, and one that restores the interrupted frame with plain rules.
	.text
	.globl	restore_rt
	.type	restore_rt, @function
restore_rt:
	.cfi_startproc
	.cfi_signal_frame
	.cfi_escape 0x0f,0x04,0x77,0xa0,0x01,0x06	# CFA = *(rsp+160)
	.cfi_escape 0x10,0x06,0x03,0x77,0xf8,0x00	# rbp at rsp+120
	.cfi_escape 0x10,0x10,0x03,0x77,0xa8,0x01	# rip at rsp+168
	movq	$15, %rax
	syscall
	.cfi_endproc
	.size	restore_rt, .-restore_rt

	.globl	interrupted
	.type	interrupted, @function
interrupted:
	.cfi_startproc
	.cfi_signal_frame
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	call	restore_rt
	popq	%rbp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	interrupted, .-interrupted
	.section .note.GNU-stack,"",@progbits
