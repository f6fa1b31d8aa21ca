# An .sframe section of no bytes at all beside a function.
	.text
	.globl	alone
	.type	alone, @function
alone:
	.cfi_startproc
	ret
	.cfi_endproc
	.size	alone, .-alone
	.section .sframe,"a",@progbits
	.section .note.GNU-stack,"",@progbits
