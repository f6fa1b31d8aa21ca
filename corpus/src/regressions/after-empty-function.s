# An FDE without code is before that of a function whose last FRE is wrong.
	.text
	.globl	empty, late
	.type	empty, @function
empty:	.cfi_startproc
	.cfi_endproc
	.size	empty, .-empty
	.type	late, @function
late:	.cfi_startproc
	sub	$8, %rsp
	.cfi_def_cfa_offset 16
	call	late
	add	$8, %rsp
	ret
	.cfi_endproc
	.size	late, .-late
