# Idioms of AMD64 code. After each instruction stands what is true before it: the rules of CFA,
# RA and FP. A question mark stands for one that is not known, and "-" for code that is not reached.
	.text
	.globl	pushes, frame, grows, realigned, drap, probes, table, absolute, unoptimized, weak
	.globl	joins, differs, position, vector, unwound, red_zone, stops, cold, shrinks, scratch, pointer, swaps, returns_late
	.type	pushes, @function
pushes:
	.cfi_startproc
	push	%rbx	# rsp+8, *(CFA-8), unchanged
	push	%rbp	# rsp+16, *(CFA-8), unchanged
	sub	$24, %rsp	# rsp+24, *(CFA-8), unchanged
	mov	%rdi, %rbp	# rsp+48, *(CFA-8), unchanged
	call	external	# rsp+48, *(CFA-8), *(CFA-24)
	add	$24, %rsp	# rsp+48, *(CFA-8), *(CFA-24) (weak)
	pop	%rbp	# rsp+24, *(CFA-8), *(CFA-24) (weak)
	pop	%rbx	# rsp+16, *(CFA-8), unchanged (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	.cfi_endproc
	.size	pushes, .-pushes

	.type	frame, @function
frame:
	.cfi_startproc
	endbr64	# rsp+8, *(CFA-8), unchanged
	push	%rbp	# rsp+8, *(CFA-8), unchanged
	mov	%rsp, %rbp	# rsp+16, *(CFA-8), unchanged
	push	%rbx	# rsp+16, *(CFA-8), *(CFA-16)
	sub	$8, %rsp	# rsp+24, *(CFA-8), *(CFA-16)
	call	external	# rsp+32, *(CFA-8), *(CFA-16)
	mov	-8(%rbp), %rbx	# rsp+32, *(CFA-8), *(CFA-16) (weak)
	leave	# rsp+32, *(CFA-8), *(CFA-16) (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	.cfi_endproc
	.size	frame, .-frame

	.type	grows, @function
grows:					# alloca
	.cfi_startproc
	push	%rbp	# rsp+8, *(CFA-8), unchanged
	mov	%rsp, %rbp	# rsp+16, *(CFA-8), unchanged
	push	%rbx	# rsp+16, *(CFA-8), *(CFA-16)
	and	$-16, %rdi	# rsp+24, *(CFA-8), *(CFA-16)
	sub	%rdi, %rsp	# rsp+24, *(CFA-8), *(CFA-16)
	mov	%rsp, %rbx	# rbp+16, *(CFA-8), *(CFA-16)
	call	external	# rbp+16, *(CFA-8), *(CFA-16)
	mov	%rbx, %rsp	# rbp+16, *(CFA-8), *(CFA-16) (weak)
	mov	-8(%rbp), %rbx	# rbp+16, *(CFA-8), *(CFA-16) (weak)
	leave	# rbp+16, *(CFA-8), *(CFA-16) (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	.cfi_endproc
	.size	grows, .-grows

	.type	realigned, @function
realigned:
	.cfi_startproc
	push	%rbp	# rsp+8, *(CFA-8), unchanged
	mov	%rsp, %rbp	# rsp+16, *(CFA-8), unchanged
	push	%r12	# rsp+16, *(CFA-8), *(CFA-16)
	and	$-64, %rsp	# rsp+24, *(CFA-8), *(CFA-16)
	sub	$64, %rsp	# rbp+16, *(CFA-8), *(CFA-16)
	call	external	# rbp+16, *(CFA-8), *(CFA-16)
	mov	-8(%rbp), %r12	# rbp+16, *(CFA-8), *(CFA-16) (weak)
	leave	# rbp+16, *(CFA-8), *(CFA-16) (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	.cfi_endproc
	.size	realigned, .-realigned

	.type	drap, @function
drap:
	.cfi_startproc
	lea	8(%rsp), %r10	# rsp+8, *(CFA-8), unchanged
	and	$-32, %rsp	# rsp+8, *(CFA-8), unchanged
	push	-8(%r10)	# ?, *(CFA-8), unchanged
	push	%rbp	# ?, *(CFA-8), unchanged
	mov	%rsp, %rbp	# ?, *(CFA-8), unchanged
	push	%r10	# ?, *(CFA-8), *(rbp)
	sub	$40, %rsp	# ?, *(CFA-8), *(rbp)
	call	external	# ?, *(CFA-8), *(rbp)
	mov	-8(%rbp), %r10	# ?, *(CFA-8), *(rbp) (weak)
	leave	# ?, *(CFA-8), *(rbp) (weak)
	lea	-8(%r10), %rsp	# ?, *(CFA-8), unchanged (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	.cfi_endproc
	.size	drap, .-drap

	.type	probes, @function
probes:					# -fstack-clash-protection
	.cfi_startproc
	lea	-0x8000(%rsp), %r11	# rsp+8, *(CFA-8), unchanged
1:	sub	$0x1000, %rsp	# ?, *(CFA-8), unchanged
	orq	$0, (%rsp)	# ?, *(CFA-8), unchanged
	cmp	%r11, %rsp	# ?, *(CFA-8), unchanged
	jne	1b	# ?, *(CFA-8), unchanged
	sub	$16, %rsp	# rsp+32776, *(CFA-8), unchanged
	call	external	# rsp+32792, *(CFA-8), unchanged
	add	$0x8010, %rsp	# rsp+32792, *(CFA-8), unchanged (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
	.cfi_endproc
	.size	probes, .-probes

	.type	table, @function
table:
	.cfi_startproc
	push	%rbx	# rsp+8, *(CFA-8), unchanged
	lea	.Ltable(%rip), %rdx	# rsp+16, *(CFA-8), unchanged
	cmp	$2, %edi	# rsp+16, *(CFA-8), unchanged
	ja	2f	# rsp+16, *(CFA-8), unchanged
	mov	%edi, %edi	# rsp+16, *(CFA-8), unchanged
	movslq	(%rdx,%rdi,4), %rax	# rsp+16, *(CFA-8), unchanged
	add	%rdx, %rax	# rsp+16, *(CFA-8), unchanged
	jmp	*%rax	# rsp+16, *(CFA-8), unchanged
1:	call	external	# rsp+16, *(CFA-8), unchanged
	pop	%rbx	# rsp+16, *(CFA-8), unchanged (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
3:	pop	%rbx	# rsp+16, *(CFA-8), unchanged
	ret	# rsp+8, *(CFA-8), unchanged
2:	xor	%ebp, %ebp	# rsp+16, *(CFA-8), unchanged
	call	abort	# rsp+16, *(CFA-8), ?
	.cfi_endproc
	.size	table, .-table
	.section .rodata.table,"a"
	.balign	4
	.long	0
.Ltable:
	.long	1b-.Ltable, 3b-.Ltable, 1b-.Ltable
	.long	pushes-.Ltable
	.text

	.type	absolute, @function
absolute:
	.cfi_startproc
	sub	$8, %rsp	# rsp+8, *(CFA-8), unchanged
	cmp	$1, %rdi	# rsp+16, *(CFA-8), unchanged
	ja	2f	# rsp+16, *(CFA-8), unchanged
	jmp	*.Labsolute(,%rdi,8)	# rsp+16, *(CFA-8), unchanged
1:	add	$8, %rsp	# rsp+16, *(CFA-8), unchanged
	ret	# rsp+8, *(CFA-8), unchanged
2:	call	abort	# rsp+16, *(CFA-8), unchanged
	.cfi_endproc
	.size	absolute, .-absolute
	.section .rodata.absolute,"a"
	.balign	8
.Labsolute:
	.quad	1b, 2b
	.text

	.type	unoptimized, @function
unoptimized:
	.cfi_startproc
	push	%rbp	# rsp+8, *(CFA-8), unchanged
	mov	%rsp, %rbp	# rsp+16, *(CFA-8), unchanged
	mov	%edi, -4(%rbp)	# rsp+16, *(CFA-8), *(CFA-16)
	cmpl	$1, -4(%rbp)	# rsp+16, *(CFA-8), *(CFA-16)
	ja	2f	# rsp+16, *(CFA-8), *(CFA-16)
	mov	-4(%rbp), %eax	# rsp+16, *(CFA-8), *(CFA-16)
	lea	0(,%rax,4), %rdx	# rsp+16, *(CFA-8), *(CFA-16)
	lea	.Lunoptimized(%rip), %rax	# rsp+16, *(CFA-8), *(CFA-16)
	mov	(%rdx,%rax), %eax	# rsp+16, *(CFA-8), *(CFA-16)
	cltq	# rsp+16, *(CFA-8), *(CFA-16)
	lea	.Lunoptimized(%rip), %rdx	# rsp+16, *(CFA-8), *(CFA-16)
	add	%rdx, %rax	# rsp+16, *(CFA-8), *(CFA-16)
	jmp	*%rax	# rsp+16, *(CFA-8), *(CFA-16)
1:	nop	# rsp+16, *(CFA-8), *(CFA-16)
	jmp	2f	# rsp+16, *(CFA-8), *(CFA-16)
3:	nop	# rsp+16, *(CFA-8), *(CFA-16)
2:	pop	%rbp	# rsp+16, *(CFA-8), *(CFA-16)
	ret	# rsp+8, *(CFA-8), unchanged
	.cfi_endproc
	.size	unoptimized, .-unoptimized
	.section .rodata.unoptimized,"a"
	.balign	4
.Lunoptimized:
	.long	1b-.Lunoptimized, 3b-.Lunoptimized
	.text

	.type	weak, @function
weak:					# the call may not return, the branch is taken
	.cfi_startproc
	test	%edi, %edi	# rsp+8, *(CFA-8), unchanged
	je	1f	# rsp+8, *(CFA-8), unchanged
	sub	$24, %rsp	# rsp+8, *(CFA-8), unchanged
	call	external	# rsp+32, *(CFA-8), unchanged
1:	xor	%eax, %eax	# rsp+8, *(CFA-8), unchanged
	ret	# rsp+8, *(CFA-8), unchanged
	.cfi_endproc
	.size	weak, .-weak

	.type	joins, @function
joins:
	.cfi_startproc
	push	%rbp	# rsp+8, *(CFA-8), unchanged
	test	%edi, %edi	# rsp+16, *(CFA-8), unchanged
	je	1f	# rsp+16, *(CFA-8), unchanged
	xor	%ebp, %ebp	# rsp+16, *(CFA-8), unchanged
1:	nop	# rsp+16, *(CFA-8), *(CFA-16)
	pop	%rbp	# rsp+16, *(CFA-8), *(CFA-16)
	ret	# rsp+8, *(CFA-8), unchanged
	.cfi_endproc
	.size	joins, .-joins

	.type	differs, @function
differs:				# SP is not the same on both ways
	.cfi_startproc
	push	%rbp	# rsp+8, *(CFA-8), unchanged
	mov	%rsp, %rbp	# rsp+16, *(CFA-8), unchanged
1:	push	%rdi	# rbp+16, *(CFA-8), *(CFA-16)
	dec	%edi	# rbp+16, *(CFA-8), *(CFA-16)
	jne	1b	# rbp+16, *(CFA-8), *(CFA-16)
	nop	# rbp+16, *(CFA-8), *(CFA-16)
	leave	# rbp+16, *(CFA-8), *(CFA-16)
	ret	# rsp+8, *(CFA-8), unchanged
	.cfi_endproc
	.size	differs, .-differs

	.type	position, @function
position:
	.cfi_startproc
	.byte	0xe8, 0, 0, 0, 0	# rsp+8, *(CFA-8), unchanged
	pop	%rax	# rsp+16, *(CFA-8), unchanged
	ret	# rsp+8, *(CFA-8), unchanged
	.cfi_endproc
	.size	position, .-position

	.type	vector, @function
vector:					# FP goes to an xmm register and back
	.cfi_startproc
	movq	%rbp, %xmm0	# rsp+8, *(CFA-8), unchanged
	xor	%ebp, %ebp	# rsp+8, *(CFA-8), unchanged
	movq	%xmm0, -16(%rsp)	# rsp+8, *(CFA-8), ?
	movq	%xmm0, %rbp	# rsp+8, *(CFA-8), ?
	mov	-16(%rsp), %rbp	# rsp+8, *(CFA-8), ?
	ret	# rsp+8, *(CFA-8), ?
	.cfi_endproc
	.size	vector, .-vector

	.type	unwound, @function
unwound:				# __builtin_eh_return
	.cfi_startproc
	push	%rbp	# rsp+8, *(CFA-8), unchanged
	mov	%rsp, %rbp	# rsp+16, *(CFA-8), unchanged
	lea	8(%rbp,%rdi), %rcx	# rsp+16, *(CFA-8), *(CFA-16)
	mov	%rsi, 8(%rbp,%rdi)	# rsp+16, *(CFA-8), *(CFA-16)
	mov	0(%rbp), %rbp	# rsp+16, *(CFA-8), *(CFA-16)
	mov	%rcx, %rsp	# rsp+16, *(CFA-8), unchanged
	ret	# ?, *(CFA-8), unchanged
	.cfi_endproc
	.size	unwound, .-unwound

	.type	red_zone, @function
red_zone:
	.cfi_startproc
	mov	%rbp, -8(%rsp)	# rsp+8, *(CFA-8), unchanged
	mov	%rbx, -16(%rsp)	# rsp+8, *(CFA-8), unchanged
	xor	%ebp, %ebp	# rsp+8, *(CFA-8), unchanged
	movl	$0, -4(%rsp)	# rsp+8, *(CFA-8), *(CFA-16)
	mov	-16(%rsp), %rbx	# rsp+8, *(CFA-8), ?
	ret	# rsp+8, *(CFA-8), ?
	.cfi_endproc
	.size	red_zone, .-red_zone

	.type	stops, @function
stops:
	.cfi_startproc
	sub	$8, %rsp	# rsp+8, *(CFA-8), unchanged
	call	abort	# rsp+16, *(CFA-8), unchanged
	push	%rbx	# -
	.cfi_endproc
	.size	stops, .-stops

	.type	cold, @function
cold:
	.cfi_startproc
	push	%rbx	# rsp+8, *(CFA-8), unchanged
	test	%edi, %edi	# rsp+16, *(CFA-8), unchanged
	jne	cold.cold	# rsp+16, *(CFA-8), unchanged
1:	pop	%rbx	# rsp+16, *(CFA-8), unchanged
	ret	# rsp+8, *(CFA-8), unchanged
	.cfi_endproc
	.size	cold, .-cold
	.section .text.unlikely,"ax",@progbits
	.type	cold.cold, @function
cold.cold:
	.cfi_startproc
	sub	$16, %rsp	# rsp+16, *(CFA-8), unchanged
	call	external	# rsp+32, *(CFA-8), unchanged
	add	$16, %rsp	# rsp+32, *(CFA-8), unchanged (weak)
	jmp	1b	# rsp+16, *(CFA-8), unchanged (weak)
	.cfi_endproc
	.size	cold.cold, .-cold.cold
	.text

	.type	shrinks, @function
shrinks:				# a tail call
	.cfi_startproc
	test	%rdi, %rdi	# rsp+8, *(CFA-8), unchanged
	je	1f	# rsp+8, *(CFA-8), unchanged
	push	%rbx	# rsp+8, *(CFA-8), unchanged
	call	external	# rsp+16, *(CFA-8), unchanged
	pop	%rbx	# rsp+16, *(CFA-8), unchanged (weak)
	jmp	external	# rsp+8, *(CFA-8), unchanged (weak)
1:	ret	# rsp+8, *(CFA-8), unchanged
	.cfi_endproc
	.size	shrinks, .-shrinks

	.type	scratch, @function
scratch:				# FP is used without being saved
	.cfi_startproc
	mov	(%rdi), %rbp	# rsp+8, *(CFA-8), unchanged
	add	%rbp, %rax	# rsp+8, *(CFA-8), ?
	ret	# rsp+8, *(CFA-8), ?
	.cfi_endproc
	.size	scratch, .-scratch

	.type	pointer, @function
pointer:				# another stack
	.cfi_startproc
	push	%rbp	# rsp+8, *(CFA-8), unchanged
	mov	%rsp, (%rdi)	# rsp+16, *(CFA-8), unchanged
	mov	(%rsi), %rsp	# rsp+16, *(CFA-8), unchanged
	pop	%rbp	# ?, *(CFA-8), unchanged
	ret	# ?, *(CFA-8), *(CFA-16)
	.cfi_endproc
	.size	pointer, .-pointer

	.type	swaps, @function
swaps:
	.cfi_startproc
	xchg	%rax, %rbp	# rsp+8, *(CFA-8), unchanged
	push	%rsp	# rsp+8, *(CFA-8), rax
	pop	%rcx	# rsp+16, *(CFA-8), rax
	enter	$16, $0	# rsp+8, *(CFA-8), rax
	lea	(%rsp,%rax), %rdx	# rsp+32, *(CFA-8), rax
	leave	# rsp+32, *(CFA-8), rax
	xchg	%rax, %rbp	# rsp+8, *(CFA-8), rax
	ret	# rsp+8, *(CFA-8), unchanged
	.cfi_endproc
	.size	swaps, .-swaps

	.type	returns_late, @function
returns_late:				# a call may return with another FP
	.cfi_startproc
	push	%rbp	# rsp+8, *(CFA-8), unchanged
	test	%edi, %edi	# rsp+16, *(CFA-8), unchanged
	je	1f	# rsp+16, *(CFA-8), unchanged
	xor	%ebp, %ebp	# rsp+16, *(CFA-8), unchanged
	call	external	# rsp+16, *(CFA-8), *(CFA-16)
1:	nop	# rsp+16, *(CFA-8), *(CFA-16)
	pop	%rbp	# rsp+16, *(CFA-8), *(CFA-16)
	ret	# rsp+8, *(CFA-8), unchanged
	.cfi_endproc
	.size	returns_late, .-returns_late
