# CFI that says the same again and again: rows of rules that never change.
	.text
	.globl	repeats
	.type	repeats, @function
repeats:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	nop
	.cfi_def_cfa_offset 16
	nop
	.cfi_def_cfa_offset 16
	nop
	.cfi_def_cfa %rsp, 16
	nop
	.cfi_restore %rbx
	nop
	.cfi_remember_state
	nop
	.cfi_restore_state
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	repeats, .-repeats
	.section .note.GNU-stack,"",@progbits
