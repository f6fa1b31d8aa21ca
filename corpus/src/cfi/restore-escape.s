# rbp is restored to its rule of the beginning, after an expression for rbx.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	.cfi_escape 0x10, 0x03, 0x02, 0x77, 0x08
	.cfi_offset 6, -16
	nop
	.cfi_restore 6
	nop
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
