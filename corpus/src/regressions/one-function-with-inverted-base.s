	.text
	.globl camlA
	.type camlA,@function
camlA:
	.cfi_startproc
	subq $24,%rsp
	.cfi_adjust_cfa_offset 24
.LA1:	call x
	movq %rax,8(%rsp)
	addq $24,%rsp
	.cfi_adjust_cfa_offset -24
.LA2:	ret
	.cfi_endproc
.LAe:	.size camlA,.-camlA
	.section .sframe,"a",@progbits
	.p2align 3
	.short 0xdee2
	.byte 2,5,3,0,-8,0
	.long 1,3,21,0,20
	.long camlA-.
	.long .LAe-camlA,0,3
	.byte 2,0,0,0
	.long camlA-camlA
	.byte 34
	.short 8
	.long .LA1-camlA
	.byte 34
	.short 32
	.long .LA2-camlA
	.byte 34
	.short 8
