# A function that is called and whose address is taken as well: the linker gives it a
# slot of .plt.got, the others one of .plt.
	.text
	.globl	main
	.type	main, @function
main:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	movq	taken@GOTPCREL(%rip), %rbx
	call	*%rbx
	call	taken@PLT
	call	other@PLT
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	main, .-main
	.section .note.GNU-stack,"",@progbits
