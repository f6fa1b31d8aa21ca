# A branch that is never taken, of a switch whose default is __builtin_unreachable, leads to the part of another function:
# its own part is empty. That function branches to its part, too, with a frame. In one pair the part returns, in the other
# it leads back; to the function of the last pair only its address in data leads.
	.text
	.globl choose
	.type choose, @function
choose:
	.cfi_startproc
	cmpl $6, %edi
	ja .Lfail
	leal 3(%rdi), %eax
	ret
	.cfi_endproc
	.size choose, .-choose
	.globl set
	.type set, @function
set:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	pushq %rbx
	.cfi_def_cfa_offset 24
	.cfi_offset %rbx, -24
	subq $0xa8, %rsp
	.cfi_def_cfa_offset 192
	movl %edi, %ebx
	cmpl $6, %edi
	ja .Lfail
	call use
	xorl %eax, %eax
.Ldone:
	addq $0xa8, %rsp
	.cfi_def_cfa_offset 24
	popq %rbx
	.cfi_def_cfa_offset 16
	popq %rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size set, .-set
	.globl compare
	.type compare, @function
compare:
	.cfi_startproc
	cmpl $5, %edi
	ja .Lerror
	leal 7(%rdi), %eax
	ret
	.cfi_endproc
	.size compare, .-compare
.Lcheck:
	.cfi_startproc
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	pushq %rbx
	.cfi_def_cfa_offset 24
	.cfi_offset %rbx, -24
	pushq %rdx
	.cfi_def_cfa_offset 32
	movl %edi, %ebx
	cmpl $5, %edi
	jne .Lerror
	call use
	popq %rdx
	.cfi_def_cfa_offset 24
	popq %rbx
	.cfi_def_cfa_offset 16
	popq %rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.globl use
	.type use, @function
use:
	.cfi_startproc
	ret
	.cfi_endproc
	.size use, .-use
	.section .text.unlikely,"ax",@progbits
.Lfail:
	.cfi_startproc
	.cfi_def_cfa_offset 192
	.cfi_offset %rbp, -16
	.cfi_offset %rbx, -24
	orl $-1, %eax
	jmp .Ldone
	.cfi_endproc
.Lerror:
	.cfi_startproc
	.cfi_def_cfa_offset 32
	.cfi_offset %rbp, -16
	.cfi_offset %rbx, -24
	orl $-1, %eax
	popq %rdx
	.cfi_def_cfa_offset 24
	popq %rbx
	.cfi_def_cfa_offset 16
	popq %rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.data
	.quad .Lcheck
	.section .note.GNU-stack,"",@progbits
