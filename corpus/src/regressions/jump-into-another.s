# g jumps into f with 8 bytes more on the stack: f's row is right on f's own way, so the jump is the fault.
	.text
	.globl f
	.type f, @function
f:	.cfi_startproc
	xor %eax, %eax
1:	inc %eax
	ret
	.cfi_endproc
	.size f, .-f
	.globl g
	.type g, @function
g:	.cfi_startproc
	push %rdi
	.cfi_def_cfa_offset 16
	jmp 1b
	.cfi_endproc
	.size g, .-g
