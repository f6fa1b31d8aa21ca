# Nothing says of a callee of another file that it returns. Directly after the call is a landing pad, which has the state
# after arguments were popped; without CFI nothing else leads there.
	.text
	.globl	checks
	.type	checks, @function
checks:
	.cfi_startproc
	endbr64
	push	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	mov	%rdi, %rbx
	test	%rdi, %rdi
	je	1f
	mov	%rbx, %rax
	.cfi_remember_state
	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
1:
	.cfi_restore_state
	push	%rsi
	.cfi_def_cfa_offset 24
	push	$7
	.cfi_def_cfa_offset 32
	call	on_failure@PLT
	.cfi_def_cfa_offset 16
	endbr64
	mov	%rax, %rdi
	jmp	2f
3:
	xor	%eax, %eax
	pop	%rbx
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	ret
2:
	.cfi_restore_state
	test	%rdi, %rdi
	je	3b
	call	_Unwind_Resume@PLT
	.cfi_endproc
	.size	checks, .-checks
	.section .note.GNU-stack,"",@progbits
