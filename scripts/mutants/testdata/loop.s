# The probes of -fstack-clash-protection: TestKinds. Link with -shared -z noseparate-code.
	.text
	.globl f
	.type f, @function
f:
	.cfi_startproc
	leaq -65536(%rsp), %r11
	.cfi_def_cfa 11, 65544
1:
	subq $4096, %rsp
	orq $0, (%rsp)
	cmpq %r11, %rsp
	jne 1b
	.cfi_def_cfa_register 7
	addq $65536, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size f, .-f
