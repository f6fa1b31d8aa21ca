# GCC's -mfunction-return=thunk-inline: the call does not return, as the code that it leads to removes the return address.
# The slot of rbp is overwritten by the call, but the loop after it is never reached.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	call	outside
	popq	%rbp
	.cfi_def_cfa_offset 8
	call	2f
1:
	pause
	lfence
	jmp	1b
2:
	.cfi_def_cfa_offset 16
	.cfi_restore %rbp
	leaq	8(%rsp), %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	f, .-f
