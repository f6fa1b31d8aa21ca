# Code without CFI, as that of crti.o.
	.text
	.globl	_init
	.type	_init, @function
_init:
	br	%r14
	.size	_init, .-_init
	.section .note.GNU-stack,"",@progbits
