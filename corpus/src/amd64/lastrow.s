# CFI after the last instruction: a row that would start where the function ends.
	.text
	.globl	ends_in_call
	.type	ends_in_call, @function
ends_in_call:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	call	abort
	.cfi_def_cfa_offset 8
	.cfi_endproc
	.size	ends_in_call, .-ends_in_call

	.globl	abort
	.type	abort, @function
abort:
	.cfi_startproc
	ud2
	.cfi_endproc
	.size	abort, .-abort
	.section .note.GNU-stack,"",@progbits
