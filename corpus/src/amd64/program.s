	.file	"program.c"
	.text
	.section	.text.unlikely,"ax",@progbits
	.type	fail.constprop.0, @function
fail.constprop.0:
.LFB12:
	.cfi_startproc
	ud2
	.cfi_endproc
.LFE12:
	.size	fail.constprop.0, .-fail.constprop.0
.LCOLDB0:
	.text
.LHOTB0:
	.p2align 4
	.globl	insert
	.type	insert, @function
insert:
.LFB2:
	.cfi_startproc
	pushq	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	movq	%rsi, %r8
	movq	%rdx, %r9
	testq	%rdi, %rdi
	je	.L21
	movq	16(%rdi), %rdx
	movzbl	(%rsi), %eax
	movq	%rdi, %rbx
	movq	%r8, %rcx
	movzbl	(%rdx), %esi
	testb	%al, %al
	jne	.L6
	jmp	.L22
	.p2align 4,,10
	.p2align 3
.L9:
	movzbl	1(%rcx), %eax
	addq	$1, %rcx
	leaq	1(%rdx), %rsi
	testb	%al, %al
	je	.L23
	movq	%rsi, %rdx
.L6:
	movzbl	(%rdx), %esi
	cmpb	%al, %sil
	je	.L9
	cmpl	%esi, %eax
	js	.L7
	je	.L8
	movq	8(%rbx), %rdi
	movq	%r9, %rdx
	movq	%r8, %rsi
	call	insert
	movq	%rax, 8(%rbx)
.L11:
	movq	%rbx, %rax
	popq	%rbx
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	ret
	.p2align 4,,10
	.p2align 3
.L23:
	.cfi_restore_state
	cmpb	$0, 1(%rdx)
	jne	.L7
.L8:
	movq	%r9, 24(%rbx)
	jmp	.L11
.L22:
	testb	%sil, %sil
	je	.L8
	.p2align 4,,10
	.p2align 3
.L7:
	movq	(%rbx), %rdi
	movq	%r9, %rdx
	movq	%r8, %rsi
	call	insert
	movq	%rax, (%rbx)
	jmp	.L11
	.p2align 4,,10
	.p2align 3
.L21:
	movslq	used(%rip), %rax
	cmpl	$64, %eax
	je	.L18
	leal	1(%rax), %edx
	salq	$5, %rax
	movl	%edx, used(%rip)
	leaq	pool(%rip), %rdx
	addq	%rdx, %rax
	movq	%rsi, 16(%rax)
	movq	%r9, 24(%rax)
	popq	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.section	.text.unlikely
	.cfi_startproc
	.type	insert.cold, @function
insert.cold:
.LFSB2:
.L18:
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	call	fail.constprop.0
	.cfi_endproc
.LFE2:
	.text
	.size	insert, .-insert
	.section	.text.unlikely
	.size	insert.cold, .-insert.cold
.LCOLDE0:
	.text
.LHOTE0:
	.p2align 4
	.globl	walk
	.type	walk, @function
walk:
.LFB3:
	.cfi_startproc
	pushq	%r13
	.cfi_def_cfa_offset 16
	.cfi_offset 13, -16
	pushq	%r12
	.cfi_def_cfa_offset 24
	.cfi_offset 12, -24
	pushq	%rbp
	.cfi_def_cfa_offset 32
	.cfi_offset 6, -32
	xorl	%ebp, %ebp
	pushq	%rbx
	.cfi_def_cfa_offset 40
	.cfi_offset 3, -40
	subq	$8, %rsp
	.cfi_def_cfa_offset 48
	testq	%rdi, %rdi
	je	.L24
	movq	%rdi, %rbx
	movq	%rsi, %r13
	movq	%rdx, %r12
.L26:
	movq	(%rbx), %rdi
	movq	%r12, %rdx
	movq	%r13, %rsi
	call	walk
	movq	%rbx, %rdi
	movq	%r12, %rsi
	addq	%rax, %rbp
	call	*%r13
	movq	%rax, %rdx
	movq	24(%rbx), %rax
	movq	8(%rbx), %rbx
	xorq	%rbp, %rax
	imulq	%rdx, %rax
	addq	%rax, %rbp
	testq	%rbx, %rbx
	jne	.L26
.L24:
	addq	$8, %rsp
	.cfi_def_cfa_offset 40
	movq	%rbp, %rax
	popq	%rbx
	.cfi_def_cfa_offset 32
	popq	%rbp
	.cfi_def_cfa_offset 24
	popq	%r12
	.cfi_def_cfa_offset 16
	popq	%r13
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
.LFE3:
	.size	walk, .-walk
	.p2align 4
	.globl	total
	.type	total, @function
total:
.LFB4:
	.cfi_startproc
	leaq	8(%rsp), %rax
	movq	%rsi, -40(%rsp)
	movq	%rax, -64(%rsp)
	leaq	-48(%rsp), %rax
	movq	%rax, -56(%rsp)
	leal	-1(%rdi), %eax
	movq	%rdx, -32(%rsp)
	movq	%rcx, -24(%rsp)
	movq	%r8, -16(%rsp)
	movq	%r9, -8(%rsp)
	movl	$8, -72(%rsp)
	testl	%edi, %edi
	jle	.L36
	movq	-56(%rsp), %r8
	movl	$8, %ecx
	leaq	8(%rsp), %rdi
	xorl	%esi, %esi
	jmp	.L35
	.p2align 4,,10
	.p2align 3
.L38:
	movl	%ecx, %edx
	addl	$8, %ecx
	addq	%r8, %rdx
	addq	(%rdx), %rsi
	subl	$1, %eax
	jb	.L31
.L35:
	cmpl	$47, %ecx
	jbe	.L38
	movq	%rdi, %rdx
	addq	$8, %rdi
	addq	(%rdx), %rsi
	subl	$1, %eax
	jnb	.L35
.L31:
	movq	%rsi, %rax
	ret
	.p2align 4,,10
	.p2align 3
.L36:
	xorl	%esi, %esi
	movq	%rsi, %rax
	ret
	.cfi_endproc
.LFE4:
	.size	total, .-total
	.p2align 4
	.globl	fill
	.type	fill, @function
fill:
.LFB5:
	.cfi_startproc
	testq	%rsi, %rsi
	je	.L39
	addq	%rdi, %rsi
	.p2align 4,,10
	.p2align 3
.L41:
	movq	%rdi, %rax
	addq	$1, %rdi
	movb	%dl, (%rax)
	cmpq	%rsi, %rdi
	jne	.L41
.L39:
	ret
	.cfi_endproc
.LFE5:
	.size	fill, .-fill
	.p2align 4
	.globl	scratch
	.type	scratch, @function
scratch:
.LFB6:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6, -16
	leaq	15(%rdi), %rax
	movq	%rdi, %rcx
	movq	%rdi, %rsi
	andq	$-16, %rax
	movl	$1, %edx
	shrq	%rcx
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	subq	%rax, %rsp
	movq	%rsp, %rdi
	call	fill
	movsbq	(%rsp,%rcx), %rax
	leave
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.LFE6:
	.size	scratch, .-scratch
	.p2align 4
	.globl	aligned
	.type	aligned, @function
aligned:
.LFB7:
	.cfi_startproc
	leaq	8(%rsp), %r10
	.cfi_def_cfa 10, 0
	andq	$-64, %rsp
	leaq	23(%rdi), %rax
	movq	%rsi, %r11
	pushq	-8(%r10)
	andq	$-16, %rax
	movl	$64, %esi
	pushq	%rbp
	movq	%rsp, %rbp
	.cfi_escape 0x10,0x6,0x2,0x76,0
	pushq	%r14
	pushq	%r13
	.cfi_escape 0x10,0xe,0x2,0x76,0x78
	.cfi_escape 0x10,0xd,0x2,0x76,0x70
	movq	%rdx, %r13
	pushq	%r12
	.cfi_escape 0x10,0xc,0x2,0x76,0x68
	movq	%rcx, %r12
	pushq	%r10
	.cfi_escape 0xf,0x3,0x76,0x60,0x6
	pushq	%rbx
	.cfi_escape 0x10,0x3,0x2,0x76,0x58
	movq	%rdi, %rbx
	leaq	-112(%rbp), %rdi
	subq	$72, %rsp
	movq	8(%r10), %r14
	movsbl	(%r10), %edx
	subq	%rax, %rsp
	call	fill
	leaq	15(%rsp), %rcx
	movsbl	%r14b, %edx
	movq	%rbx, %rsi
	andq	$-16, %rcx
	movq	%rcx, %rdi
	call	fill
	leaq	(%r11,%r13), %rax
	movsbq	-109(%rbp), %rdx
	addq	%r12, %rax
	addq	%r8, %rax
	addq	%r9, %rax
	addq	%rdx, %rax
	movsbq	-1(%rcx,%rbx), %rdx
	leaq	-40(%rbp), %rsp
	popq	%rbx
	popq	%r10
	.cfi_def_cfa 10, 0
	addq	%rdx, %rax
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%rbp
	leaq	-8(%r10), %rsp
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
.LFE7:
	.size	aligned, .-aligned
	.p2align 4
	.globl	large
	.type	large, @function
large:
.LFB8:
	.cfi_startproc
	subq	$20008, %rsp
	.cfi_def_cfa_offset 20016
	movl	$2, %edx
	movl	$20000, %esi
	movq	%rsp, %rdi
	call	fill
	movsbq	19999(%rsp), %rax
	addq	$20008, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
.LFE8:
	.size	large, .-large
	.section	.text.unlikely
.LCOLDB1:
	.text
.LHOTB1:
	.p2align 4
	.globl	choose
	.type	choose, @function
choose:
.LFB9:
	.cfi_startproc
	subq	$8, %rsp
	.cfi_def_cfa_offset 16
	cmpl	$5, %edi
	ja	.L61
	leaq	.L55(%rip), %rdx
	movl	%edi, %edi
	movq	%rsi, %r10
	movslq	(%rdx,%rdi,4), %rax
	addq	%rdx, %rax
	jmp	*%rax
	.section	.rodata
	.align 4
	.align 4
.L55:
	.long	.L60-.L55
	.long	.L59-.L55
	.long	.L58-.L55
	.long	.L57-.L55
	.long	.L56-.L55
	.long	.L54-.L55
	.text
	.p2align 4,,10
	.p2align 3
.L56:
	movq	%rsi, %rcx
	movq	%rsi, %rdx
	movl	$3, %edi
	xorl	%eax, %eax
	addq	$8, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	jmp	total
	.p2align 4,,10
	.p2align 3
.L54:
	.cfi_restore_state
	xorl	%edx, %edx
	xorl	%esi, %esi
	xorl	%edi, %edi
	addq	$8, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	jmp	walk
	.p2align 4,,10
	.p2align 3
.L60:
	.cfi_restore_state
	movl	$1, %edi
	xorl	%eax, %eax
	addq	$8, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	jmp	total
	.p2align 4,,10
	.p2align 3
.L59:
	.cfi_restore_state
	movq	%rsi, %rdi
	addq	$8, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	jmp	scratch
	.p2align 4,,10
	.p2align 3
.L58:
	.cfi_restore_state
	addq	$8, %rsp
	.cfi_remember_state
	.cfi_def_cfa_offset 8
	jmp	large
	.p2align 4,,10
	.p2align 3
.L57:
	.cfi_restore_state
	pushq	$7
	.cfi_def_cfa_offset 24
	movl	$3, %ecx
	movl	$2, %edx
	movq	%r10, %rdi
	pushq	$6
	.cfi_def_cfa_offset 32
	movl	$5, %r9d
	movl	$4, %r8d
	movl	$1, %esi
	call	aligned
	popq	%rdx
	.cfi_def_cfa_offset 24
	popq	%rcx
	.cfi_def_cfa_offset 16
.L52:
	addq	$8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.section	.text.unlikely
	.cfi_startproc
	.type	choose.cold, @function
choose.cold:
.LFSB9:
.L61:
	.cfi_def_cfa_offset 16
	xorl	%eax, %eax
	jmp	.L52
	.cfi_endproc
.LFE9:
	.text
	.size	choose, .-choose
	.section	.text.unlikely
	.size	choose.cold, .-choose.cold
.LCOLDE1:
	.text
.LHOTE1:
	.p2align 4
	.type	visit, @function
visit:
.LFB10:
	.cfi_startproc
	movq	(%rsi), %rsi
	movl	24(%rdi), %edi
	jmp	choose
	.cfi_endproc
.LFE10:
	.size	visit, .-visit
	.section	.text.startup,"ax",@progbits
	.p2align 4
	.globl	main
	.type	main, @function
main:
.LFB11:
	.cfi_startproc
	subq	$24, %rsp
	.cfi_def_cfa_offset 32
	xorl	%r10d, %r10d
	leaq	keys.0(%rip), %r11
	xorl	%edi, %edi
	movq	$40, 8(%rsp)
	.p2align 4,,10
	.p2align 3
.L65:
	movq	(%r11,%r10,8), %rsi
	movq	%r10, %rdx
	addq	$1, %r10
	call	insert
	movq	%rax, %rdi
	cmpq	$6, %r10
	jne	.L65
	leaq	8(%rsp), %rdx
	leaq	visit(%rip), %rsi
	call	walk
	addq	$24, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
.LFE11:
	.size	main, .-main
	.section	.rodata.str1.1,"aMS",@progbits,1
.LC2:
	.string	"hop"
.LC3:
	.string	"bar"
.LC4:
	.string	"foo"
.LC5:
	.string	"qux"
.LC6:
	.string	"baz"
.LC7:
	.string	"zap"
	.section	.data.rel.ro.local,"aw"
	.align 32
	.type	keys.0, @object
	.size	keys.0, 48
keys.0:
	.quad	.LC2
	.quad	.LC3
	.quad	.LC4
	.quad	.LC5
	.quad	.LC6
	.quad	.LC7
	.local	used
	.comm	used,4,4
	.local	pool
	.comm	pool,2048,32
	.section	.note.GNU-stack,"",@progbits
