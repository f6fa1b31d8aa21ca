# as --gsframe x.s -o one.o, then sed s/one/two/g x.s | as -o two.o and ld -r one.o two.o, of binutils 2.47.
	.text
	.globl one
	.type one,@function
one:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset 6,-16
	mov %rsp,%rbp
	.cfi_def_cfa_register 6
	pop %rbp
	.cfi_def_cfa 7,8
	ret
	.cfi_endproc
	.size one,.-one
	.section .note.GNU-stack,"",@progbits
