# Parts of functions that have global symbols, as in a file that was rearranged after the link.
# amd64.s explains the comments.
	.text
	.globl	split, split.cold.1
	.type	split, @function
split:
	.cfi_startproc
	push	%rbx	# rsp+8, *(CFA-8), unchanged
	test	%edi, %edi	# rsp+16, *(CFA-8), unchanged
	jne	split.cold.1	# rsp+16, *(CFA-8), unchanged
1:	pop	%rbx	# rsp+16, *(CFA-8), unchanged
	ret	# rsp+8, *(CFA-8), unchanged
	.cfi_endproc
	.size	split, .-split
	.section .text.unlikely,"ax",@progbits
	.type	split.cold.1, @function
split.cold.1:
	.cfi_startproc
	mov	%rbx, %rdi	# rsp+16, *(CFA-8), unchanged
	call	external	# rsp+16, *(CFA-8), unchanged
	jmp	1b	# rsp+16, *(CFA-8), unchanged (weak)
	.cfi_endproc
	.size	split.cold.1, .-split.cold.1
	.section .note.GNU-stack,"",@progbits
