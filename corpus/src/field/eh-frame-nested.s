# A function that remembers two states at a time.
	.text
	.type	nested, %function
nested:
	.cfi_startproc
	push	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	test	%edi, %edi
	je	1f
	.cfi_remember_state
	push	%r12
	.cfi_def_cfa_offset 24
	.cfi_offset %r12, -24
	test	%esi, %esi
	je	2f
	.cfi_remember_state
	pop	%r12
	.cfi_def_cfa_offset 16
	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
2:
	.cfi_restore_state
	pop	%r12
	.cfi_def_cfa_offset 16
	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
1:
	.cfi_restore_state
	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	nested, .-nested
