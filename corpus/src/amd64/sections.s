# One section for each function, as -ffunction-sections makes them, with a cold part,
# start-up code, and code that lies in a section of read-only data.
	.section .text.hot,"ax",@progbits
	.globl	hot
	.type	hot, @function
hot:
	.cfi_startproc
	subq	$8, %rsp
	.cfi_def_cfa_offset 16
	testl	%edi, %edi
	jne	hot.cold
	addq	$8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	hot, .-hot

# The cold part is entered with its parent's frame: its first row is not rsp+8.
	.section .text.unlikely.hot,"ax",@progbits
	.type	hot.cold, @function
hot.cold:
	.cfi_startproc
	.cfi_def_cfa_offset 16
	call	setup
	addq	$8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	hot.cold, .-hot.cold

	.section .init.text,"ax",@progbits
	.globl	setup
	.type	setup, @function
setup:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	setup, .-setup

	.section .rodata.text,"a",@progbits
	.globl	relocated
	.type	relocated, @function
relocated:
	.cfi_startproc
	nop
	ret
	.cfi_endproc
	.size	relocated, .-relocated

# Two functions without a name of their own share one symbol-less section.
	.section .text.anonymous,"ax",@progbits
	.cfi_startproc
	nop
	ret
	.cfi_endproc
	.p2align 4
	.cfi_startproc
	pushq	%rax
	.cfi_def_cfa_offset 16
	popq	%rax
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.section .note.GNU-stack,"",@progbits
