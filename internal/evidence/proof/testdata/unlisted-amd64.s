# Landing pads that no table of exceptions lists. amd64.s explains the comments.
	.text
	.globl	throws, frame, differs, mixed, pushes_arguments
	.type	throws, @function
throws:
	.cfi_startproc
	push	%rbp	# rsp+8, *(CFA-8), unchanged
	sub	$16, %rsp	# rsp+16, *(CFA-8), unchanged
	call	external	# rsp+32, *(CFA-8), unchanged
1:	add	$16, %rsp	# rsp+32, *(CFA-8), unchanged (weak)
	pop	%rbp	# rsp+16, *(CFA-8), unchanged (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	nop	# -
	test	%rdx, %rdx	# -
	mov	%rax, %rdi	# rsp+32, *(CFA-8), unchanged (weak)
	je	2f	# rsp+32, *(CFA-8), unchanged (weak)
	call	__cxa_begin_catch	# rsp+32, *(CFA-8), unchanged (weak)
	call	__cxa_end_catch	# rsp+32, *(CFA-8), unchanged (weak)
	jmp	1b	# rsp+32, *(CFA-8), unchanged (weak)
2:	call	_Unwind_Resume	# rsp+32, *(CFA-8), unchanged (weak)
	.cfi_endproc
	.size	throws, .-throws

	.type	frame, @function
frame:					# the calls may have arguments on the stack, but FP has the frame
	.cfi_startproc
	push	%rbp	# rsp+8, *(CFA-8), unchanged
	mov	%rsp, %rbp	# rsp+16, *(CFA-8), unchanged
	sub	$16, %rsp	# rsp+16, *(CFA-8), *(CFA-16)
	call	external	# rsp+32, *(CFA-8), *(CFA-16)
	leave	# rsp+32, *(CFA-8), *(CFA-16) (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	jmp	frame.cold	# rbp+16, *(CFA-8), *(CFA-16) (weak)
	.cfi_endproc
	.size	frame, .-frame

	.type	differs, @function
differs:				# the calls have SP in different places
	.cfi_startproc
	call	external	# rsp+8, *(CFA-8), unchanged
	push	%rbx	# rsp+8, *(CFA-8), unchanged (weak)
	call	external	# rsp+16, *(CFA-8), unchanged (weak)
	pop	%rbx	# rsp+16, *(CFA-8), unchanged (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	mov	%rax, %rdi	# ?, *(CFA-8), unchanged (weak)
	call	_Unwind_Resume	# ?, *(CFA-8), unchanged (weak)
	.cfi_endproc
	.size	differs, .-differs

	.type	mixed, @function
mixed:					# one piece of the code is no landing pad, so perhaps none is
	.cfi_startproc
	push	%rbx	# rsp+8, *(CFA-8), unchanged
	call	external	# rsp+16, *(CFA-8), unchanged
	pop	%rbx	# rsp+16, *(CFA-8), unchanged (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	mov	%rax, %rdi	# -
	call	_Unwind_Resume	# -
	push	%rbx	# -
	ret	# -
	.cfi_endproc
	.size	mixed, .-mixed

	.type	pushes_arguments, @function
pushes_arguments:			# the landing pad does not have the arguments
	.cfi_startproc
	push	%rbx	# rsp+8, *(CFA-8), unchanged
	push	%rax	# rsp+16, *(CFA-8), unchanged
	push	$1	# rsp+24, *(CFA-8), unchanged
	call	external	# rsp+32, *(CFA-8), unchanged
	add	$16, %rsp	# rsp+32, *(CFA-8), unchanged (weak)
	pop	%rbx	# rsp+16, *(CFA-8), unchanged (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	mov	%rax, %rdi	# ?, *(CFA-8), unchanged (weak)
	call	_Unwind_Resume	# ?, *(CFA-8), unchanged (weak)
	.cfi_endproc
	.size	pushes_arguments, .-pushes_arguments

	.section .text.unlikely,"ax",@progbits
	.type	frame.cold, @function
frame.cold:
	.cfi_startproc
	mov	%rax, %rdi	# rbp+16, *(CFA-8), *(CFA-16) (weak)
	call	_Unwind_Resume	# rbp+16, *(CFA-8), *(CFA-16) (weak)
	.cfi_endproc
	.size	frame.cold, .-frame.cold
	.section .note.GNU-stack,"",@progbits
