# One row of each function is wrong, where the code was not followed far enough once.

	.macro begin name
	.text
	.globl \name
	.type \name, @function
\name:	.cfi_startproc
	.endm
	.macro end name
	.cfi_endproc
	.size \name, .-\name
	.endm

	begin scaled			# the argument is narrowed, scaled and rounded
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	movzbl %dil, %edi
	lea 15(,%rdi,4), %rax
	imul $3, %rax, %rax
	and $-16, %rax
	sub %rax, %rsp
	mov %rsp, %rdi			# the CFA is rbp+16
	call g
	leave
	.cfi_def_cfa_offset 8
	.cfi_restore %rbp
	ret
	end scaled

	begin indexed			# SP and an index
	mov %rsp, %r9
	neg %rdi
	lea (%rsp,%rdi), %rsp
	mov %rsi, (%rsp)		# the CFA is r9+8
	mov %r9, %rsp
	ret
	end indexed

	begin abroad			# another stack, and back
	push %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	mov %rsp, %rbx
	mov %rdi, %rsp
	call *%rsi			# the CFA is rbx+16
	mov %rbx, %rsp
	pop %rbx
	.cfi_def_cfa_offset 8
	ret
	end abroad

	begin away			# another stack, and its frame: no row is wrong
	mov %rdi, %rsp
	pop %rbp
	ret
	end away

	begin conditional		# FP is lost if the condition holds
	push %rbp
	.cfi_def_cfa_offset 16
	test %rdi, %rdi
	cmovne %rdi, %rbp
	call g
	pop %rbp
	.cfi_def_cfa_offset 8
	ret
	end conditional

	begin vector			# the slot of FP is overwritten
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov %rdi, %rbp
	sub $8, %rsp
	.cfi_def_cfa_offset 24
	movups %xmm0, (%rsp)
	mov (%rbp), %rax
	add $8, %rsp
	.cfi_def_cfa_offset 16
	pop %rbp
	.cfi_def_cfa_offset 8
	.cfi_restore %rbp
	ret
	end vector

	begin saved			# the vector has FP: no row is wrong
	movq %rbp, %xmm1
	sub $16, %rsp
	.cfi_def_cfa_offset 24
	movups %xmm1, (%rsp)
	.cfi_offset %rbp, -24
	mov %rdi, %rbp
	call g
	mov (%rsp), %rbp
	.cfi_restore %rbp
	add $16, %rsp
	.cfi_def_cfa_offset 8
	ret
	end saved
