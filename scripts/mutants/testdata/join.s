# A call at whose return address a branch arrives, too: TestKinds. Link with -shared -z noseparate-code.
	.text
	.globl f
	.type f, @function
f:
	.cfi_startproc
	subq $24, %rsp
	.cfi_def_cfa_offset 32
	testl %edi, %edi
	je 1f
	call g
1:
	addq $24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size f, .-f
	.type g, @function
g:
	.cfi_startproc
	ret
	.cfi_endproc
	.size g, .-g
