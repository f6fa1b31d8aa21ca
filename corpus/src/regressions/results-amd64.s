# The rows of the functions before the label right were taken for right once: amounts that come of arguments, words that
# instructions overwrite without a register, conditional loads, and joins of values that are no frame.

	.text

	.type amt_popcnt,@function
amt_popcnt:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	popcnt %rdi,%rax
	shl $4,%rax
	sub %rax,%rsp
	.cfi_def_cfa rsp,48
	nop
	nop
	.cfi_def_cfa rbp,16
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size amt_popcnt,.-amt_popcnt

	.type amt_mulx,@function
amt_mulx:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	mov %rsi,%rdx
	mov $16,%eax
	mul %rdx
	sub %rax,%rsp
	.cfi_def_cfa rsp,48
	nop
	nop
	.cfi_def_cfa rbp,16
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size amt_mulx,.-amt_mulx

	.type amt_divrem,@function
amt_divrem:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	mov %rdi,%rax
	xor %edx,%edx
	mov $48,%ecx
	div %rcx
	sub %rdx,%rsp
	.cfi_def_cfa rsp,48
	nop
	nop
	.cfi_def_cfa rbp,16
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size amt_divrem,.-amt_divrem

	.type amt_cmov,@function
amt_cmov:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	mov $256,%eax
	cmp $256,%rdi
	cmovb %rdi,%rax
	sub %rax,%rsp
	.cfi_def_cfa rsp,48
	nop
	nop
	.cfi_def_cfa rbp,16
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size amt_cmov,.-amt_cmov

	.type amt_subm,@function
amt_subm:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	sub (%rdi),%rsp
	.cfi_def_cfa rsp,48
	nop
	nop
	.cfi_def_cfa rbp,16
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size amt_subm,.-amt_subm

	.type amt_submstk,@function
amt_submstk:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	mov %rdi,-8(%rbp)
	sub -8(%rbp),%rsp
	.cfi_def_cfa rsp,48
	nop
	nop
	.cfi_def_cfa rbp,16
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size amt_submstk,.-amt_submstk

	.type amt_spill32,@function
amt_spill32:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	mov %edi,-4(%rbp)
	mov -4(%rbp),%eax
	cltq
	sub %rax,%rsp
	.cfi_def_cfa rsp,48
	nop
	nop
	.cfi_def_cfa rbp,16
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size amt_spill32,.-amt_spill32

	.type amt_bextr,@function
amt_bextr:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	bextr %rsi,%rdi,%rax
	sub %rax,%rsp
	.cfi_def_cfa rsp,48
	nop
	nop
	.cfi_def_cfa rbp,16
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size amt_bextr,.-amt_bextr

	.type amt_andn,@function
amt_andn:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	andn %rdi,%rsi,%rax
	sub %rax,%rsp
	.cfi_def_cfa rsp,48
	nop
	nop
	.cfi_def_cfa rbp,16
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size amt_andn,.-amt_andn

	.type amt_sarx,@function
amt_sarx:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	sarx %rsi,%rdi,%rax
	sub %rax,%rsp
	.cfi_def_cfa rsp,48
	nop
	nop
	.cfi_def_cfa rbp,16
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size amt_sarx,.-amt_sarx

	.type slot_rep,@function
slot_rep:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	sub $64,%rsp
	lea -16(%rbp),%rdi
	mov $3,%ecx
	xor %eax,%eax
	rep stosq
	call ext@PLT
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size slot_rep,.-slot_rep

	.type slot_stos,@function
slot_stos:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	sub $64,%rsp
	mov %rbp,%rdi
	stosq
	call ext@PLT
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size slot_stos,.-slot_stos

	.type slot_fst,@function
slot_fst:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	sub $64,%rsp
	fstpl (%rbp)
	call ext@PLT
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size slot_fst,.-slot_fst

	.type slot_movs,@function
slot_movs:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	sub $64,%rsp
	lea g(%rip),%rsi
	mov %rbp,%rdi
	movsq
	call ext@PLT
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size slot_movs,.-slot_movs

	.type slot_setb,@function
slot_setb:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	sub $64,%rsp
	sete (%rbp)
	call ext@PLT
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size slot_setb,.-slot_setb

	.type unr_push,@function
unr_push:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	push %rbx
	.cfi_def_cfa_offset 24
	.cfi_offset rbx,-24
	sub $24,%rsp
	.cfi_def_cfa_offset 48
	jmp *%rdi
	mov %rsi,%rax
	push %rax
	nop
	call ext@PLT
	.cfi_def_cfa_offset 56
	nop
	pop %rax
	.cfi_def_cfa_offset 48
	add $24,%rsp
	.cfi_def_cfa_offset 24
	pop %rbx
	.cfi_def_cfa_offset 16
	pop %rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size unr_push,.-unr_push

	.type join_fpmalloc,@function
join_fpmalloc:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	sub $32,%rsp
	.cfi_def_cfa_offset 48
	test %edi,%edi
	je 1f
	call malloc@PLT
	mov %rax,%rbp
1:	.cfi_def_cfa rbp,16
	call ext@PLT
	.cfi_def_cfa rsp,48
	add $32,%rsp
	.cfi_def_cfa_offset 16
	pop %rbp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size join_fpmalloc,.-join_fpmalloc


right:

	.type ok_and0,@function
ok_and0:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	and $0,%rdi
	sub %rdi,%rsp
	.cfi_def_cfa rsp,16
	call ext@PLT
	.cfi_def_cfa rbp,16
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size ok_and0,.-ok_and0

	.type ok_xorself,@function
ok_xorself:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	xor %rdi,%rdi
	sub %rdi,%rsp
	.cfi_def_cfa rsp,16
	call ext@PLT
	.cfi_def_cfa rbp,16
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size ok_xorself,.-ok_xorself

	.type ok_diff16,@function
ok_diff16:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	lea 16(%rdi),%rax
	sub %rdi,%rax
	sub %rax,%rsp
	.cfi_def_cfa rsp,32
	call ext@PLT
	.cfi_def_cfa rbp,16
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size ok_diff16,.-ok_diff16

	.type ok_spill,@function
ok_spill:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	mov %edi,-4(%rbp)
	movl $16,-4(%rbp)
	mov -4(%rbp),%eax
	sub %rax,%rsp
	.cfi_def_cfa rsp,32
	call ext@PLT
	.cfi_def_cfa rbp,16
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size ok_spill,.-ok_spill

	.type ok_spill2,@function
ok_spill2:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	mov %edi,-4(%rbp)
	movq $16,-8(%rbp)
	mov -8(%rbp),%rax
	sub %rax,%rsp
	.cfi_def_cfa rsp,32
	call ext@PLT
	.cfi_def_cfa rbp,16
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size ok_spill2,.-ok_spill2

	.type ok_mul0,@function
ok_mul0:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	xor %eax,%eax
	mul %rdi
	sub %rax,%rsp
	.cfi_def_cfa rsp,16
	call ext@PLT
	.cfi_def_cfa rbp,16
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size ok_mul0,.-ok_mul0

	.type ok_lockor,@function
ok_lockor:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset rbp,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register rbp
	lock orq $0,(%rsp)
	call ext@PLT
	leave
	.cfi_def_cfa rsp,8
	ret
	.cfi_endproc
	.size ok_lockor,.-ok_lockor
