# Code that a linker can place gigabytes from the .sframe section.
# .eh_frame cannot reach so far; SFrame from version 3 on can.
	.cfi_sections .sframe
	.section .far_text,"ax",@progbits
	.globl	far
	.type	far, @function
far:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	far, .-far
	.section .note.GNU-stack,"",@progbits
