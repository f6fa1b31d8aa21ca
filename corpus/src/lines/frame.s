# Two functions whose CFI is wrong: line 9 should say 16, and after line 26 a directive is missing.
	.text
	.globl	frame
	.type	frame, @function
frame:
	.cfi_startproc
	push	%rbp
	# A comment between instruction and directive.
	.cfi_def_cfa_offset 24
	.cfi_offset %rbp, -16
	mov	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	sub	$16, %rsp
	nop
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	frame, . - frame

	.globl	saves
	.type	saves, @function
saves:
	.cfi_startproc
	nop
	push	%rbx
	call	frame
	pop	%rbx
	ret
	.cfi_endproc
	.size	saves, . - saves
