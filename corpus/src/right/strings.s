# By its symbol a function ends after its constants, as OpenSSL's RC4_options does; no CFI describes those.
	.text
	.globl	options
	.type	options, @function
options:
	.cfi_startproc
	leaq	.Lname(%rip), %rax
	testl	%edi, %edi
	je	1f
	addq	$12, %rax
	nop
1:	ret
	.cfi_endproc
	.p2align 4
.Lname:	.asciz	"rc4(8x,int)"
	.asciz	"rc4(8x,char)"
	.size	options, .-options
	.section .note.GNU-stack,"",@progbits
