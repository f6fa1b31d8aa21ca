# Landing pads that no table of exceptions lists, after calls with other values of FP and SP. amd64.s explains the comments.
	.text
	.globl	choice, arguments, varies, ends
	.type	choice, @function
choice:					# FP is an address in the frame or a result, but never the caller's
	.cfi_startproc
	push	%rbp	# rsp+8, *(CFA-8), unchanged
	sub	$32, %rsp	# rsp+16, *(CFA-8), unchanged
	lea	8(%rsp), %rbp	# rsp+48, *(CFA-8), unchanged
	call	external	# rsp+48, *(CFA-8), *(CFA-16)
	mov	%rax, %rbp	# rsp+48, *(CFA-8), *(CFA-16) (weak)
	call	external	# rsp+48, *(CFA-8), *(CFA-16) (weak)
	add	$32, %rsp	# rsp+48, *(CFA-8), *(CFA-16) (weak)
	pop	%rbp	# rsp+16, *(CFA-8), *(CFA-16) (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	mov	%rax, %rdi	# rsp+48, *(CFA-8), *(CFA-16) (weak)
	call	_Unwind_Resume	# rsp+48, *(CFA-8), *(CFA-16) (weak)
	.cfi_endproc
	.size	choice, .-choice

	.type	arguments, @function
arguments:				# SP is below the saved registers
	.cfi_startproc
	push	%rbp	# rsp+8, *(CFA-8), unchanged
	mov	%rsp, %rbp	# rsp+16, *(CFA-8), unchanged
	push	%rbx	# rsp+16, *(CFA-8), *(CFA-16)
	push	%rax	# rsp+24, *(CFA-8), *(CFA-16)
	push	$7	# rsp+32, *(CFA-8), *(CFA-16)
	push	$8	# rsp+40, *(CFA-8), *(CFA-16)
	call	external	# rsp+48, *(CFA-8), *(CFA-16)
	add	$16, %rsp	# rsp+48, *(CFA-8), *(CFA-16) (weak)
	call	external	# rsp+32, *(CFA-8), *(CFA-16) (weak)
	mov	-8(%rbp), %rbx	# rsp+32, *(CFA-8), *(CFA-16) (weak)
	leave	# rsp+32, *(CFA-8), *(CFA-16) (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	mov	%rax, %rdi	# rbp+16, *(CFA-8), *(CFA-16) (weak)
	call	_Unwind_Resume	# rbp+16, *(CFA-8), *(CFA-16) (weak)
	.cfi_endproc
	.size	arguments, .-arguments

	.type	varies, @function
varies:					# an array after SP was aligned
	.cfi_startproc
	lea	8(%rsp), %r10	# rsp+8, *(CFA-8), unchanged
	and	$-32, %rsp	# rsp+8, *(CFA-8), unchanged
	push	-8(%r10)	# ?, *(CFA-8), unchanged
	push	%rbp	# ?, *(CFA-8), unchanged
	mov	%rsp, %rbp	# ?, *(CFA-8), unchanged
	push	%r10	# ?, *(CFA-8), *(rbp)
	sub	$72, %rsp	# ?, *(CFA-8), *(rbp)
	add	$15, %rdi	# ?, *(CFA-8), *(rbp)
	and	$-16, %rdi	# ?, *(CFA-8), *(rbp)
	sub	%rdi, %rsp	# ?, *(CFA-8), *(rbp)
	call	external	# ?, *(CFA-8), *(rbp)
	mov	-8(%rbp), %r10	# ?, *(CFA-8), *(rbp) (weak)
	leave	# ?, *(CFA-8), *(rbp) (weak)
	lea	-8(%r10), %rsp	# ?, *(CFA-8), unchanged (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	mov	%rax, %rdi	# ?, *(CFA-8), *(rbp) (weak)
	call	_Unwind_Resume	# ?, *(CFA-8), *(rbp) (weak)
	.cfi_endproc
	.size	varies, .-varies

	.type	ends, @function
ends:					# it is called, and so is its part
	.cfi_startproc
	push	%rbx	# rsp+8, *(CFA-8), unchanged
	test	%rdi, %rdi	# rsp+16, *(CFA-8), unchanged
	je	ends.cold	# rsp+16, *(CFA-8), unchanged
	mov	%rdi, %rbx	# rsp+16, *(CFA-8), unchanged
	call	ends	# rsp+16, *(CFA-8), unchanged
	mov	%rbx, %rax	# rsp+16, *(CFA-8), unchanged (weak)
	pop	%rbx	# rsp+16, *(CFA-8), unchanged (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	.cfi_endproc
	.size	ends, .-ends

	.section .text.unlikely,"ax",@progbits
	.type	ends.cold, @function
ends.cold:
	.cfi_startproc
	call	abort	# rsp+16, *(CFA-8), unchanged
	.cfi_endproc
	.size	ends.cold, .-ends.cold
	.section .note.GNU-stack,"",@progbits
