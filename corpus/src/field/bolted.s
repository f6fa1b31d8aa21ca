# The note that llvm-bolt adds.
	.section .note.bolt_info,"",@note
	.long	4, 9, 4
	.asciz	"GNU"
	.asciz	"BOLT 19\n"
	.balign	4
