# Functions of more than 255 and, where HUGE is set, of more than 65535 bytes: the
# offsets of their rows need two and four bytes.
	.text
	.globl	narrow
	.type	narrow, @function
narrow:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.skip	250, 0x90
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	narrow, .-narrow

	.globl	wide
	.type	wide, @function
wide:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.skip	400, 0x90
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	wide, .-wide

# Exactly 256 bytes, the last row at 255.
	.globl	edge
	.type	edge, @function
edge:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.skip	253, 0x90
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	edge, .-edge

.if HUGE
	.globl	huge
	.type	huge, @function
huge:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.skip	65600, 0x90
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	huge, .-huge
.endif
	.section .note.GNU-stack,"",@progbits
