	.file	"shared.c"
	.text
	.p2align 4
	.globl	shared
	.type	shared, @function
shared:
.LFB0:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	movq	%rdi, %rax
	movl	%esi, 12(%rsp)
	movl	12(%rsp), %edi
	call	*%rax
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	addl	$1, %eax
	ret
	.cfi_endproc
.LFE0:
	.size	shared, .-shared
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
