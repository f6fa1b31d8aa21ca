# GCC's -fsplit-stack: the ret after a call of __morestack is no return of the function, which never returns. A branch leads
# to the code after the call of the function itself.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	cmpq	%fs:112, %rsp
	jb	3f
2:
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	testl	%edi, %edi
	je	4f
	call	outside
	movl	%eax, %edi
	call	f
3:
	.cfi_def_cfa_offset 8
	movl	$24, %r10d
	xorl	%r11d, %r11d
	call	__morestack
	ret
	jmp	2b
4:
	.cfi_def_cfa_offset 32
	call	abort
	.cfi_endproc
	.size	f, .-f
