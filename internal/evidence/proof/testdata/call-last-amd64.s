# The last instructions of a range of code are a call and a return: what a thunk of -fsplit-stack has after them is not there.
	.text
	.globl f
	.type f, @function
f:
	.cfi_startproc
	pushq %rbp	# rsp+8, *(CFA-8), unchanged
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	xorl %ebp, %ebp	# rsp+16, *(CFA-8), unchanged
	call g	# rsp+16, *(CFA-8), *(CFA-16)
	popq %rbp	# rsp+16, *(CFA-8), *(CFA-16) (weak)
	.cfi_def_cfa_offset 8
	.cfi_restore %rbp
	call g	# rsp+8, *(CFA-8), unchanged (weak)
	jmp *%rax	# rsp+8, *(CFA-8), unchanged (weak)
	.cfi_endproc
	.size f, .-f
	.type g, @function
g:
	.cfi_startproc
	testl %edi, %edi	# rsp+8, *(CFA-8), unchanged
	je 1f	# rsp+8, *(CFA-8), unchanged
	call h	# rsp+8, *(CFA-8), unchanged
1:
	call h	# rsp+8, *(CFA-8), unchanged
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	.cfi_endproc
	.size g, .-g
