# A subroutine in a function that is called and then jumped to: on either way the CFA is rsp+8 there.
	.text
	.globl f
	.type f, @function
f:	.cfi_startproc
	call 1f
	jmp 1f
	ret
1:	ret
	.cfi_endproc
	.size f, .-f

# The code after the call runs twice, the first time as a subroutine.
	.globl twice
	.type twice, @function
twice:	.cfi_startproc
	call 2f
2:	inc %rax
	ret
	.cfi_endproc
	.size twice, .-twice
