# The frame is released, and an offset is added that should be subtracted.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	leaq	-40(%rsp), %rsp
	.cfi_adjust_cfa_offset 40
	movq	$0, (%rsp)
	leaq	40(%rsp), %rsp
	.cfi_adjust_cfa_offset 40
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
