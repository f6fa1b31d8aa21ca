# The return address is saved at rsp + 8, as an expression.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	nop
	.cfi_escape 0x10, 0x10, 0x02, 0x77, 0x08
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
