# Functions whose CFI a reader without expressions can follow. main.o calls leaf and deep.
	.text
	.globl	leaf, deep
	.type	leaf, %function
leaf:
	.cfi_startproc
	ret
	.cfi_endproc
	.size	leaf, .-leaf
	.type	deep, %function
deep:
	.cfi_startproc
	push	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	test	%edi, %edi
	je	1f
	.cfi_remember_state
	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
1:
	.cfi_restore_state
	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	deep, .-deep
