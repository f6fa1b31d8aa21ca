# A function without CFI, which the linker puts behind endless of unreachable.c.
	.section .text.last,"ax"
	.type	behind, @function
behind:
	ret
	.size	behind, .-behind
	.section .note.GNU-stack,""
