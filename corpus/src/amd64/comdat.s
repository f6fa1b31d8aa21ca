# Inline functions in COMDAT groups, and one function outside. Two objects made from
# this file define the same groups: a linker keeps one copy of each. WHO sets the one apart.
	.section .text.inline1,"axG",@progbits,inline1,comdat
	.weak	inline1
	.type	inline1, @function
inline1:
	.cfi_startproc
	subq	$8, %rsp
	.cfi_def_cfa_offset 16
	addq	$8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	inline1, .-inline1

	.section .text.inline2,"axG",@progbits,inline2,comdat
	.weak	inline2
	.type	inline2, @function
inline2:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	popq	%rbp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	inline2, .-inline2

	.text
.if WHO
	.globl	user1
	.type	user1, @function
user1:
	.cfi_startproc
	subq	$8, %rsp
	.cfi_def_cfa_offset 16
	call	inline1
	addq	$8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	user1, .-user1
.else
	.globl	main
	.type	main, @function
main:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	call	inline1
	call	inline2
	call	user1
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	main, .-main
.endif
	.section .note.GNU-stack,"",@progbits
