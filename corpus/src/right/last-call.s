# Calls that do not return although their callees have a return: by the name of none of them can that be seen. After the
# call another block begins, to which a branch leads from before the frame was set up. In the first function the callee
# calls one that stops; Go's panicBounds is so. In the second one it depends on an argument; PostgreSQL's errfinish is so.
	.text
	.globl index
	.type index, @function
index:
	.cfi_startproc
	cmpq 16(%r14), %rsp
	jbe 2f
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq %rsp, %rbp
	subq $0x10, %rsp
	.cfi_def_cfa_offset 32
	cmpq %rdi, %rsi
	jae 1f
	movq (%rdx,%rsi,8), %rax
	addq $0x10, %rsp
	.cfi_def_cfa_offset 16
	popq %rbp
	.cfi_restore %rbp
	.cfi_def_cfa_offset 8
	ret
1:
	.cfi_def_cfa_offset 32
	.cfi_offset %rbp, -16
	call bounds
	nop
2:
	.cfi_restore %rbp
	.cfi_def_cfa_offset 8
	movq %rax, 8(%rsp)
	call grow
	movq 8(%rsp), %rax
	jmp index
	.cfi_endproc
	.size index, .-index
	.globl bounds
	.type bounds, @function
bounds:
	.cfi_startproc
	subq $0x18, %rsp
	.cfi_def_cfa_offset 32
	call stop
	addq $0x18, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size bounds, .-bounds
	.globl stop
	.type stop, @function
stop:
	.cfi_startproc
	hlt
	jmp stop
	.cfi_endproc
	.size stop, .-stop
	.globl grow
	.type grow, @function
grow:
	.cfi_startproc
	ret
	.cfi_endproc
	.size grow, .-grow
	.globl register
	.type register, @function
register:
	.cfi_startproc
	cmpl $12, %edi
	jbe 1f
	pushq %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movl $22, %edi
	movq %rsp, %rbp
	.cfi_def_cfa_register %rbp
	call finish
	nopw (%rax,%rax)
1:
	.cfi_restore %rbp
	.cfi_def_cfa %rsp, 8
	movl %edi, %eax
	ret
	.cfi_endproc
	.size register, .-register
	.globl finish
	.type finish, @function
finish:
	.cfi_startproc
	cmpl $20, %edi
	jae 1f
	ret
1:
	hlt
	jmp 1b
	.cfi_endproc
	.size finish, .-finish
	.section .note.GNU-stack,"",@progbits
