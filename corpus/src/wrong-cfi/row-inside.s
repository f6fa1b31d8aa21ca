# The CFI changes between the bytes of an instruction.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	.byte	0x48, 0x83 # subq $8, %rsp
	.cfi_adjust_cfa_offset 8
	.byte	0xec, 0x08
	movq	%rdi, (%rsp)
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	ret
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
