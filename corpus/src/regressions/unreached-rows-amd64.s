# Rows of code that only jumps of unknown targets lead to contradict each other, but those of the last function.

	.macro begin name
	.text
	.globl \name
	.type \name, @function
\name:	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	jmp *(%rdi)
	.endm
	.macro end name
	.cfi_endproc
	.size \name, .-\name
	.endm

	begin early			# a row starts one instruction early
	mov $1, %eax
	.cfi_def_cfa_offset 8
	pop %rbx
	ret
	end early

	begin blip			# a row between others is wrong
	mov $1, %eax
	.cfi_def_cfa_offset 24
	nop
	.cfi_def_cfa_offset 16
	pop %rbx
	.cfi_def_cfa_offset 8
	ret
	end blip

	begin returns			# the CFA at a return is rsp+8
	.cfi_def_cfa_offset 24
	mov $1, %eax
	pop %rbx
	.cfi_def_cfa_offset 16
	ret
	end returns

	begin right			# the row begins where space is filled; ret jumps to what was pushed
	ret
	.nops 7
	.cfi_def_cfa_offset 16
	mov $1, %eax
	pop %rbx
	.cfi_def_cfa_offset 8
	push %rsi
	.cfi_def_cfa_offset 16
	ret
	end right
