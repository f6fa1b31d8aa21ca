# Functions whose CFI a reader without expressions and signal frames does not follow.
	.text
	.type	realigned, %function
realigned:
	.cfi_startproc
	lea	8(%rsp), %r10
	.cfi_def_cfa %r10, 0
	and	$-32, %rsp
	push	-8(%r10)
	push	%rbp
	.cfi_escape 0x10, 6, 2, 0x76, 0		# rbp is at rbp+0
	mov	%rsp, %rbp
	push	%r10
	.cfi_escape 0x0f, 3, 0x76, 0x78, 0x06	# CFA = *(rbp-8)
	pop	%r10
	.cfi_def_cfa %r10, 0
	pop	%rbp
	lea	-8(%r10), %rsp
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	ret
	.cfi_endproc
	.size	realigned, .-realigned
	.type	trampoline, %function
trampoline:
	.cfi_startproc
	.cfi_signal_frame
	nop
	ret
	.cfi_endproc
	.size	trampoline, .-trampoline
