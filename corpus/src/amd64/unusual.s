# Functions that look wrong to whoever knows the symbols and the code alone: their CFI
# shows that they are right.
	.text
	.globl	fault_handler
	.type	fault_handler, @function
fault_handler:				# entered by the processor, with an error code
	.cfi_startproc
	.cfi_def_cfa_offset 16
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	popq	%rax
	.cfi_adjust_cfa_offset -8
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	iretq
	.cfi_endproc
	.size	fault_handler, .-fault_handler

	.globl	resume_at
	.type	resume_at, @function
resume_at:				# leaves to another frame, at the address rcx
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	leaq	8(%rbp,%rdi), %rcx
	movq	%rsi, (%rcx)
	movq	(%rbp), %rbp
	.cfi_restore %rbp
	.cfi_def_cfa %rcx, 8
	movq	%rcx, %rsp
	ret
	.cfi_endproc
	.size	resume_at, .-resume_at

	.globl	in_parts
	.type	in_parts, @function
in_parts:				# one symbol, two procedures
	.cfi_startproc
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	testl	%edi, %edi
	je	.Lsecond
	popq	%rbx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.p2align 4
	.cfi_startproc
	.cfi_def_cfa_offset 16
.Lsecond:
	xorl	%eax, %eax
	popq	%rbx
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	in_parts, .-in_parts

	.globl	with_text
	.type	with_text, @function
with_text:				# its symbol covers data after its code
	.cfi_startproc
	leaq	.Ltext(%rip), %rax
	ret
	.cfi_endproc
.Ltext:	.asciz	"not executed"
	.size	with_text, .-with_text
	.section .note.GNU-stack,"",@progbits
