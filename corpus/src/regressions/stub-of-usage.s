# The FRE after "pop %rbx" is wrong.
# as --gsframe, ld -shared -z noseparate-code
	.text
	.globl f
	.type f, @function
f:	.cfi_startproc
	push %rbx
	.cfi_adjust_cfa_offset 8
	call usage@PLT
	pop %rbx
	ret
	.cfi_endproc
	.size f, .-f
	.globl g
	.type g, @function
g:	.cfi_startproc
	push %rbx
	.cfi_adjust_cfa_offset 8
	call abort@PLT
	.cfi_endproc
	.size g, .-g
	.section .note.GNU-stack,"",@progbits
