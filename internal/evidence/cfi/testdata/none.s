# .eh_frame in which "ld -r" has left a relocation without an effect beside that of the function's
# start.
	.text
f:	ret
	.section .eh_frame,"a",@unwind
	.long	2f-1f
1:	.long	0
	.ascii	"\001zR\000\001\170\020\001\033\014\007\010\220\001"
	.balign	4
2:	.long	4f-3f
3:	.long	3b-1b+4
	.reloc	., R_X86_64_NONE
	.long	f-.
	.long	1
	.ascii	"\000"
	.balign	4
4:
