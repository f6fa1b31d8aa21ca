# The ordinary shapes of an AMD64 function, with a symbol of every binding.
	.text

# A leaf: nothing moves, CFA = rsp+8 throughout.
	.globl	leaf
	.type	leaf, @function
leaf:
	.cfi_startproc
	leal	(%rdi,%rsi), %eax
	ret
	.cfi_endproc
	.size	leaf, .-leaf

# A frame pointer: the CFA moves from rsp to rbp and back.
	.globl	framed
	.type	framed, @function
framed:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	subq	$16, %rsp
	movl	%edi, -4(%rbp)
	call	leaf
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	framed, .-framed

# Pushes without a frame pointer, and an early return that restores the row before.
	.type	pushes, @function
pushes:
	.cfi_startproc
	pushq	%r12
	.cfi_def_cfa_offset 16
	.cfi_offset %r12, -16
	pushq	%rbx
	.cfi_def_cfa_offset 24
	.cfi_offset %rbx, -24
	subq	$8, %rsp
	.cfi_def_cfa_offset 32
	testl	%edi, %edi
	je	1f
	.cfi_remember_state
	addq	$8, %rsp
	.cfi_def_cfa_offset 24
	popq	%rbx
	.cfi_def_cfa_offset 16
	popq	%r12
	.cfi_def_cfa_offset 8
	ret
1:
	.cfi_restore_state
	call	framed
	addq	$8, %rsp
	.cfi_def_cfa_offset 24
	popq	%rbx
	.cfi_def_cfa_offset 16
	popq	%r12
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	pushes, .-pushes

# A frame that one byte cannot measure: data words of two bytes.
	.weak	roomy
	.type	roomy, @function
roomy:
	.cfi_startproc
	subq	$1048, %rsp
	.cfi_def_cfa_offset 1056
	movq	%rdi, (%rsp)
	call	pushes
	addq	$1048, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	roomy, .-roomy

# And one that two bytes cannot: data words of four.
	.globl	vast
	.hidden	vast
	.type	vast, @function
vast:
	.cfi_startproc
	subq	$131080, %rsp
	.cfi_def_cfa_offset 131088
	call	roomy
	addq	$131080, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	vast, .-vast

# No CFI: no FDE either.
	.globl	bare
	.type	bare, @function
bare:
	ret
	.size	bare, .-bare
	.section .note.GNU-stack,"",@progbits
