	.file "a.c"
	.section .text.f1,"ax",@progbits
	.globl f1
	.type f1,@function
f1:	.cfi_startproc
	subq $24,%rsp
	.cfi_adjust_cfa_offset 24
	call ext
	addq $24,%rsp
	.cfi_adjust_cfa_offset -24
	ret
	.cfi_endproc
	.size f1,.-f1
	.section .text.f2,"ax",@progbits
	.globl f2
	.type f2,@function
f2:	.cfi_startproc
	subq $24,%rsp
	.cfi_adjust_cfa_offset 24
	call ext
	addq $24,%rsp
	.cfi_adjust_cfa_offset -24
	ret
	.cfi_endproc
	.size f2,.-f2
	.section .text.f3,"ax",@progbits
	.globl f3
	.type f3,@function
f3:	.cfi_startproc
	subq $24,%rsp
	.cfi_adjust_cfa_offset 24
	call ext
	addq $24,%rsp
	.cfi_adjust_cfa_offset -24
	ret
	.cfi_endproc
	.size f3,.-f3
