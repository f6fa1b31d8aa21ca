# The last instructions of a range of code are a call and a return: what a thunk of -fsplit-stack has after them is not there.
	.text
	.globl f
	.type f, @function
f:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	xorl %ebp, %ebp
	call g
	popq %rbp
	.cfi_def_cfa_offset 8
	.cfi_restore %rbp
	call g
	jmp *%rax
	.cfi_endproc
	.size f, .-f
	.type g, @function
g:
	.cfi_startproc
	testl %edi, %edi
	je 1f
	call h
1:
	call h
	ret
	.cfi_endproc
	.size g, .-g
