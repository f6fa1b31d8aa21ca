# The rows of the CFA at *(rsp-8), while rsp is elsewhere, and at r10+8 are wrong. GNU as writes no FDE for the expressions:
# assemble, then sframe-lint synth --replace.
	.text
	.globl f
	.type f, @function
f:	.cfi_startproc
	lea 8(%rsp), %r10
	.cfi_def_cfa %r10, 0
	and $-64, %rsp
	push -8(%r10)
	push %rbp
	mov %rsp, %rbp
	.cfi_escape 0x10, 6, 2, 0x76, 0
	push %r10
	.cfi_escape 0x0f, 3, 0x77, 0x78, 6	# *(rsp-8)
	sub $104, %rsp
	.cfi_escape 0x0f, 3, 0x76, 0x78, 6	# *(rbp-8), which is right
	lea -112(%rbp), %rdi
	call g
	mov -8(%rbp), %r10
	.cfi_def_cfa %r10, 8
	nop
	.cfi_def_cfa %r10, 0
	leave
	.cfi_restore %rbp
	lea -8(%r10), %rsp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size f, .-f
