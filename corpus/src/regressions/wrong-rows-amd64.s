# Rows that are wrong where code assumes that a call does not return, or that an indirect jump leads somewhere. The last
# comment of a line is the CFA that the row should have.
	.text
	.globl	at_label
	.type	at_label, @function
at_label:				# a branch leads to the label as well
	.cfi_startproc
	subq	$40, %rsp
	.cfi_def_cfa_offset 48
	call	other
	cmpl	$3, %eax
	jg	2f
	call	outside
2:
	.cfi_def_cfa_offset 8		# rsp+48
	addq	$40, %rsp
	ret
	.cfi_endproc
	.size	at_label, .-at_label

	.globl	tail_jump
	.type	tail_jump, @function
tail_jump:				# another path leaves by an indirect jump
	.cfi_startproc
	cmpq	$0, (%rdi)
	jne	2f
	movq	8(%rdi), %rax
	jmp	*%rax
2:
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	call	outside
	.cfi_def_cfa_offset 8		# rsp+16
	popq	%rbx
	.cfi_restore %rbx
	ret
	.cfi_endproc
	.size	tail_jump, .-tail_jump

	.globl	after_local
	.type	after_local, @function
after_local:				# the callee returns, with more on the stack than on the other path
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	testl	%esi, %esi
	jne	2f
	pushq	%rsi
	.cfi_def_cfa_offset 24
	pushq	%rsi
	.cfi_def_cfa_offset 32
	call	other
	.cfi_def_cfa_offset 16		# rbp+16: rsp+32 on this path
2:
	nop
	leave
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	ret
	.cfi_endproc
	.size	after_local, .-after_local

	.globl	no_case
	.type	no_case, @function
no_case:				# the table does not lead to the code after the call
	.cfi_startproc
	cmpl	$3, %edi
	ja	3f
	subq	$8, %rsp
	.cfi_def_cfa_offset 16
	leaq	table(%rip), %rcx
	movl	%edi, %edi
	movslq	(%rcx,%rdi,4), %rax
	addq	%rcx, %rax
	jmp	*%rax
.Lone:
	subq	$16, %rsp
	.cfi_def_cfa_offset 32
	call	outside
	.cfi_def_cfa_offset 16		# rsp+32
	addq	$16, %rsp
.Ltwo:
	addq	$8, %rsp
	.cfi_def_cfa_offset 8
3:
	ret
	.cfi_endproc
	.size	no_case, .-no_case

	.globl	probes
	.type	probes, @function
probes:					# the CFA counts from rsp while a loop lowers it
	.cfi_startproc
	leaq	-32768(%rsp), %rax
2:
	subq	$4096, %rsp		# rax+32776
	orq	$0, (%rsp)
	cmpq	%rax, %rsp
	jne	2b
	.cfi_def_cfa_offset 32776
	call	outside
	addq	$32768, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	probes, .-probes

	.globl	thunk
	.type	thunk, @function
thunk:					# the call leads to the code after it, which removes its return address
	.cfi_startproc
	call	3f
2:
	pause
	jmp	2b
3:
	.cfi_def_cfa_offset 24		# rsp+16
	leaq	8(%rsp), %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	thunk, .-thunk

	.type	other, @function
other:					# it calls nothing, so that it returns
	.cfi_startproc
	testl	%edi, %edi
	je	2f
	leal	1(%rdi), %eax
	ret
2:
	xorl	%eax, %eax
	ret
	.cfi_endproc
	.size	other, .-other

	.section .rodata
	.p2align 2
table:
	.long	.Lone-table, .Ltwo-table, .Lone-table, .Ltwo-table

	.text
	.globl	realigned
	.type	realigned, @function
realigned:				# FP is found at rbp before rbp points into the frame
	.cfi_startproc
	leaq	8(%rsp), %r10
	.cfi_def_cfa %r10, 0
	andq	$-64, %rsp
	pushq	-8(%r10)
	pushq	%rbp
	.cfi_escape 0x10,0x6,0x2,0x76,0	# one instruction early
	movq	%rsp, %rbp
	pushq	%r10
	.cfi_escape 0xf,0x3,0x76,0x78,0x6
	subq	$56, %rsp
	call	outside
	movq	-8(%rbp), %r10
	.cfi_def_cfa %r10, 0
	leave
	.cfi_restore %rbp
	leaq	-8(%r10), %rsp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	realigned, .-realigned
