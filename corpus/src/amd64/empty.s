# Data alone: no function and no CFI.
	.data
	.globl	word
	.type	word, @object
word:
	.quad	1
	.size	word, .-word
	.section .note.GNU-stack,"",@progbits
