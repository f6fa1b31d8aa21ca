# A function without a single byte (what is left of one that is unreachable) at the
# address where the next one starts; with LAST, at the end of the section.
	.text
	.globl	before
	.type	before, @function
before:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	before, .-before

	.globl	nothing
	.type	nothing, @function
nothing:
	.cfi_startproc
	.cfi_endproc
	.size	nothing, .-nothing

	.ifndef	LAST
	.globl	after
	.type	after, @function
after:
	.cfi_startproc
	nop
	ret
	.cfi_endproc
	.size	after, .-after
	.endif
	.section .note.GNU-stack,"",@progbits
