	.file	"prog.c"
	.text
#APP
	.globl thread_start
.type thread_start,@function
thread_start:
.cfi_startproc
.cfi_undefined rip
xor %ebp,%ebp
and $-16,%rsp
call thread_main
hlt
.cfi_endproc
.size thread_start,.-thread_start

	.globl _start
.type _start,@function
_start:
.cfi_startproc
.cfi_undefined rip
xor %ebp,%ebp
and $-16,%rsp
call c_main
hlt
.cfi_endproc
.size _start,.-_start

#NO_APP
	.p2align 4
	.type	leaf, @function
leaf:
.LFB3:
	.cfi_startproc
	movl	(%rdi), %eax
	ret
	.cfi_endproc
.LFE3:
	.size	leaf, .-leaf
	.p2align 4
	.type	waiter, @function
waiter:
.LFB4:
	.cfi_startproc
	movl	%edi, -4(%rsp)
	movl	$1, ready(%rip)
	movl	-4(%rsp), %eax
	testl	%eax, %eax
	je	.L4
	movl	$34, %r8d
	.p2align 4,,10
	.p2align 3
.L5:
	xorl	%edx, %edx
	xorl	%r10d, %r10d
	movq	%r8, %rax
	movq	%rdx, %rdi
	movq	%rdx, %rsi
#APP
# 12 "sys.h" 1
	syscall
# 0 "" 2
#NO_APP
	movl	-4(%rsp), %eax
	testl	%eax, %eax
	jne	.L5
.L4:
	movl	-4(%rsp), %eax
	ret
	.cfi_endproc
.LFE4:
	.size	waiter, .-waiter
	.p2align 4
	.globl	fault
	.type	fault, @function
fault:
.LFB5:
	.cfi_startproc
	movq	want_wait@GOTPCREL(%rip), %rax
	movl	(%rax), %eax
	testl	%eax, %eax
	jne	.L13
	movslq	%edi, %rdi
	salq	$3, %rdi
	call	leaf
	addl	$1, %eax
	ret
	.p2align 4,,10
	.p2align 3
.L13:
	call	waiter
	addl	$2, %eax
	ret
	.cfi_endproc
.LFE5:
	.size	fault, .-fault
	.p2align 4
	.globl	handler
	.type	handler, @function
handler:
.LFB6:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	movslq	%edi, %rbx
	movl	$2, %edi
	subq	$32, %rsp
	.cfi_def_cfa_offset 48
	call	fault@PLT
	movb	%al, (%rsp,%rbx)
	addq	$32, %rsp
	.cfi_def_cfa_offset 16
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
.LFE6:
	.size	handler, .-handler
	.p2align 4
	.globl	deep
	.type	deep, @function
deep:
.LFB7:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	movslq	%edi, %rbx
	subq	$64, %rsp
	.cfi_def_cfa_offset 80
	movb	$1, (%rsp,%rbx)
	testl	%edi, %edi
	je	.L17
	subl	$1, %edi
	call	deep.localalias
	movl	%eax, %edx
	movsbl	(%rsp,%rbx), %eax
	addq	$64, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 16
	popq	%rbx
	.cfi_def_cfa_offset 8
	addl	%edx, %eax
	ret
	.p2align 4,,10
	.p2align 3
.L17:
	.cfi_restore_state
	movq	fault@GOTPCREL(%rip), %rdi
	movl	$1, %esi
	call	shared@PLT
	addq	$64, %rsp
	.cfi_def_cfa_offset 16
	addl	$1, %eax
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
.LFE7:
	.size	deep, .-deep
	.set	deep.localalias,deep
	.p2align 4
	.globl	realigned
	.type	realigned, @function
realigned:
.LFB8:
	.cfi_startproc
	leaq	8(%rsp), %r10
	.cfi_def_cfa 10, 0
	andq	$-64, %rsp
	movslq	%edi, %rdi
	pushq	-8(%r10)
	leaq	23(%rdi), %rax
	pushq	%rbp
	andq	$-16, %rax
	movq	%rsp, %rbp
	.cfi_escape 0x10,0x6,0x2,0x76,0
	pushq	%r10
	.cfi_escape 0xf,0x3,0x76,0x78,0x6
	subq	$104, %rsp
	subq	%rax, %rsp
	leaq	15(%rsp), %rax
	andq	$-16, %rax
	movb	$1, (%rax)
	movb	$1, -112(%rbp,%rdi)
	movl	$3, %edi
	call	deep@PLT
	movq	-8(%rbp), %r10
	.cfi_def_cfa 10, 0
	movl	%eax, %edx
	movsbl	-112(%rbp), %eax
	leave
	leaq	-8(%r10), %rsp
	.cfi_def_cfa 7, 8
	addl	%edx, %eax
	ret
	.cfi_endproc
.LFE8:
	.size	realigned, .-realigned
	.p2align 4
	.globl	dynamic
	.type	dynamic, @function
dynamic:
.LFB9:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	movslq	%edi, %rax
	addq	$23, %rax
	andq	$-16, %rax
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	pushq	%rbx
	subq	$8, %rsp
	.cfi_offset 3, -24
	subq	%rax, %rsp
	leaq	15(%rsp), %rbx
	andq	$-16, %rbx
	movb	$1, (%rbx)
	call	realigned@PLT
	movl	%eax, %edx
	movsbl	(%rbx), %eax
	movq	-8(%rbp), %rbx
	leave
	.cfi_def_cfa 7, 8
	addl	%edx, %eax
	ret
	.cfi_endproc
.LFE9:
	.size	dynamic, .-dynamic
	.p2align 4
	.globl	thread_main
	.type	thread_main, @function
thread_main:
.LFB10:
	.cfi_startproc
	movl	$7, %edi
	jmp	waiter
	.cfi_endproc
.LFE10:
	.size	thread_main, .-thread_main
	.p2align 4
	.globl	c_main
	.type	c_main, @function
c_main:
.LFB11:
	.cfi_startproc
	subq	$40, %rsp
	.cfi_def_cfa_offset 48
	movq	handler@GOTPCREL(%rip), %rax
	movq	$67108868, 8(%rsp)
	movq	%rax, (%rsp)
	movq	__restore_rt@GOTPCREL(%rip), %rax
	movq	$0, 24(%rsp)
	movq	%rax, 16(%rsp)
	movq	want_signal@GOTPCREL(%rip), %rax
	movl	(%rax), %eax
	testl	%eax, %eax
	je	.L26
	movq	%rsp, %rsi
	movl	$8, %r10d
	movl	$13, %eax
	xorl	%edx, %edx
	movl	$11, %edi
#APP
# 12 "sys.h" 1
	syscall
# 0 "" 2
#NO_APP
.L26:
	movl	$56, %eax
	movl	$69376, %edi
	leaq	4032+stack.0(%rip), %rsi
#APP
# 23 "sys.h" 1
	xor %r8d,%r8d
xor %r10d,%r10d
xor %edx,%edx
syscall
test %eax,%eax
jnz 1f
jmp thread_start
1:
# 0 "" 2
#NO_APP
	testq	%rax, %rax
	jg	.L28
.L27:
	movl	$40, %edi
	call	dynamic@PLT
	xorl	%edx, %edx
	xorl	%r10d, %r10d
	movl	$231, %eax
	movq	%rdx, %rdi
	movq	%rdx, %rsi
#APP
# 12 "sys.h" 1
	syscall
# 0 "" 2
#NO_APP
	addq	$40, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	ret
	.p2align 4,,10
	.p2align 3
.L28:
	.cfi_restore_state
	movl	ready(%rip), %eax
	testl	%eax, %eax
	jne	.L27
	movl	ready(%rip), %eax
	testl	%eax, %eax
	je	.L28
	jmp	.L27
	.cfi_endproc
.LFE11:
	.size	c_main, .-c_main
	.local	stack.0
	.comm	stack.0,4096,16
	.local	ready
	.comm	ready,4,4
	.ident	"GCC: (Debian 12.2.0-14+deb12u1) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
