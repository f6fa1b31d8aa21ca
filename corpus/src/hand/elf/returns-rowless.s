# A function with nothing but an empty CFI program: the assembler writes an FDE without FREs.
	.globl	f
	.type	f, @function
f:
	.cfi_startproc simple
	nop
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
