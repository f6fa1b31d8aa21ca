# A jump by ret to an address that was pushed: the CFA is rsp+16 there.
	.text
	.globl f
	.type f, @function
f:	.cfi_startproc
	push %rdi
	.cfi_def_cfa_offset 16
	ret
	.cfi_endproc
	.size f, .-f
