# Frames the default FDE type cannot state. Versions 1 and 2 leave these functions out.
	.text
# The stack is realigned and its old top kept in r10 (the DRAP register).
	.globl	drap
	.type	drap, @function
drap:
	.cfi_startproc
	leaq	8(%rsp), %r10
	.cfi_def_cfa %r10, 0
	andq	$-32, %rsp
	pushq	-8(%r10)
	pushq	%rbp
	movq	%rsp, %rbp
	.cfi_escape 0x10,0x06,0x02,0x76,0x00		# rbp at rbp+0
	pushq	%r10
	.cfi_escape 0x0f,0x03,0x76,0x78,0x06		# CFA = *(rbp-8)
	subq	$40, %rsp
	call	plain
	addq	$40, %rsp
	popq	%r10
	.cfi_def_cfa %r10, 0
	popq	%rbp
	leaq	-8(%r10), %rsp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	drap, .-drap

# The CFA rests on a register that is neither rsp nor rbp, and then the return address does.
	.globl	return_in_register
	.type	return_in_register, @function
return_in_register:
	.cfi_startproc
	movq	%rsp, %rcx
	.cfi_def_cfa %rcx, 8
	movq	%rcx, %rsp
	.cfi_def_cfa %rsp, 8
	popq	%rcx
	.cfi_register %rip, %rcx
	.cfi_def_cfa_offset 0
	jmp	*%rcx
	.cfi_endproc
	.size	return_in_register, .-return_in_register

# rbp is parked in another register.
	.globl	parked
	.type	parked, @function
parked:
	.cfi_startproc
	movq	%rbp, %r11
	.cfi_register %rbp, %r11
	xorl	%ebp, %ebp
	movq	%r11, %rbp
	.cfi_restore %rbp
	ret
	.cfi_endproc
	.size	parked, .-parked

# The frame is large: control words and offsets of two bytes.
	.globl	far_base
	.type	far_base, @function
far_base:
	.cfi_startproc
	movq	%rsp, %rbx
	subq	$1000, %rsp
	.cfi_def_cfa %rbx, 8
	.cfi_register %rbx, %rbx
	leaq	-1000(%rbx), %rbx
	.cfi_def_cfa %rbx, 1008
	addq	$1000, %rsp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	far_base, .-far_base

# An expression that no FDE type can state: every version leaves it out.
	.globl	inexpressible
	.type	inexpressible, @function
inexpressible:
	.cfi_startproc
	.cfi_escape 0x0f,0x05,0x77,0x08,0x06,0x06,0x06	# CFA = ***(rsp+8)
	nop
	ret
	.cfi_endproc
	.size	inexpressible, .-inexpressible

	.type	plain, @function
plain:
	.cfi_startproc
	ret
	.cfi_endproc
	.size	plain, .-plain
	.section .note.GNU-stack,"",@progbits
