# A function has a branch that is never taken, as GCC writes it for a switch whose default is __builtin_unreachable. It
# leads to a part of the function that is empty: what follows there is another function, to which a third one jumps.
# The same again where the function that jumps is directly before.
	.section .text.unlikely,"ax",@progbits
	.globl init
	.type init, @function
init:
	.cfi_startproc
	movq %rsi, (%rdi)
	jmp helper
	.cfi_endproc
	.size init, .-init
	.globl between
	.type between, @function
between:
	.cfi_startproc
	movl $1, %eax
	ret
	.cfi_endproc
	.size between, .-between
	.type helper, @function
helper:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	movq %rdi, %rbx
	subq $0x30, %rsp
	.cfi_def_cfa_offset 64
	call other
	movq %rax, (%rbx)
	addq $0x30, %rsp
	.cfi_def_cfa_offset 16
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size helper, .-helper
	.text
	.globl select
	.type select, @function
select:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	subq $0x20, %rsp
	.cfi_def_cfa_offset 48
	call other
	cmpl $4, %eax
	ja helper
	addq $0x20, %rsp
	.cfi_def_cfa_offset 16
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size select, .-select
	.section .text.unlikely
	.globl init2
	.type init2, @function
init2:
	.cfi_startproc
	movq %rsi, (%rdi)
	jmp helper2
	.cfi_endproc
	.size init2, .-init2
	.type helper2, @function
helper2:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	movq %rdi, %rbx
	subq $0x30, %rsp
	.cfi_def_cfa_offset 64
	call other
	movq %rax, (%rbx)
	addq $0x30, %rsp
	.cfi_def_cfa_offset 16
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size helper2, .-helper2
	.text
	.globl select2
	.type select2, @function
select2:
	.cfi_startproc
	pushq %rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	subq $0x20, %rsp
	.cfi_def_cfa_offset 48
	call other
	cmpl $4, %eax
	ja helper2
	addq $0x20, %rsp
	.cfi_def_cfa_offset 16
	popq %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size select2, .-select2
	.globl other
	.type other, @function
other:
	.cfi_startproc
	movl $3, %eax
	ret
	.cfi_endproc
	.size other, .-other
	.section .note.GNU-stack,"",@progbits
