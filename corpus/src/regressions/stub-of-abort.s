# The first stub of the PLT is that of abort. In stub-of-usage.s it is that of a function that returns.
# as --gsframe, ld -shared -z noseparate-code
	.text
	.globl f
	.type f, @function
f:	.cfi_startproc
	push %rbx
	.cfi_adjust_cfa_offset 8
	call abort@PLT
	.cfi_endproc
	.size f, .-f
	.globl g
	.type g, @function
g:	.cfi_startproc
	push %rbx
	.cfi_adjust_cfa_offset 8
	call other@PLT
	pop %rbx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size g, .-g
	.section .note.GNU-stack,"",@progbits
