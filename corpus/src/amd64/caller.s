# Calls that go through the PLT of a dynamically linked program.
	.text
	.globl	main
	.type	main, @function
main:
	.cfi_startproc
	subq	$8, %rsp
	.cfi_def_cfa_offset 16
	call	provided@PLT
	call	other@PLT
	addq	$8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	main, .-main
	.section .note.GNU-stack,"",@progbits
