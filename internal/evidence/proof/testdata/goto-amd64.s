# Computed gotos whose table is in a word of the stack, or added to the index. amd64.s explains
# the comments.
	.text
	.globl	spilled, sum, bytes
	.type	spilled, @function
spilled:				# the table is stored
	.cfi_startproc
	sub	$24, %rsp	# rsp+8, *(CFA-8), unchanged
	lea	.Lspilled(%rip), %rax	# rsp+32, *(CFA-8), unchanged
	mov	%rax, 8(%rsp)	# rsp+32, *(CFA-8), unchanged
	call	external	# rsp+32, *(CFA-8), unchanged
	mov	8(%rsp), %rdx	# rsp+32, *(CFA-8), unchanged (weak)
	jmp	*(%rdx,%rax,8)	# rsp+32, *(CFA-8), unchanged (weak)
1:	mov	8(%rsp), %rdx	# rsp+32, *(CFA-8), unchanged (weak)
	jmp	*(%rdx,%rdi,8)	# rsp+32, *(CFA-8), unchanged (weak)
3:	add	$24, %rsp	# rsp+32, *(CFA-8), unchanged (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	.cfi_endproc
	.size	spilled, .-spilled

	.type	sum, @function
sum:					# the index is the base, and all ways have one jump
	.cfi_startproc
	sub	$24, %rsp	# rsp+8, *(CFA-8), unchanged
	lea	0(,%rdi,8), %rdx	# rsp+32, *(CFA-8), unchanged
	lea	.Lsum(%rip), %rax	# rsp+32, *(CFA-8), unchanged
	mov	(%rdx,%rax), %rax	# rsp+32, *(CFA-8), unchanged
	jmp	2f	# rsp+32, *(CFA-8), unchanged
4:	add	$16, %rsp	# rsp+32, *(CFA-8), unchanged
	pop	%rdx	# rsp+16, *(CFA-8), unchanged
	ret	# rsp+8, *(CFA-8), unchanged
2:	jmp	*%rax	# rsp+32, *(CFA-8), unchanged
	.cfi_endproc
	.size	sum, .-sum

	.type	bytes, @function
bytes:					# a table of indices
	.cfi_startproc
	push	%rbx	# rsp+8, *(CFA-8), unchanged
	lea	.Lbytes(%rip), %rdx	# rsp+16, *(CFA-8), unchanged
	movzbl	(%rdx,%rdi), %eax	# rsp+16, *(CFA-8), unchanged
	lea	.Lwords(%rip), %rdx	# rsp+16, *(CFA-8), unchanged
	jmp	*(%rdx,%rax,8)	# rsp+16, *(CFA-8), unchanged
5:	pop	%rbx	# rsp+16, *(CFA-8), unchanged
	ret	# rsp+8, *(CFA-8), unchanged
	.cfi_endproc
	.size	bytes, .-bytes
	.section .data.rel.ro,"aw"
	.balign	8
	.quad	0
.Lspilled:
	.quad	1b, 3b, 0
.Lsum:
	.quad	4b, 0
.Lwords:
	.quad	5b, 0
	.section .rodata,"a"
.Lbytes:
	.ascii	"\0\1"
