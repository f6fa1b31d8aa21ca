# Two sections of one name in one object.
	.section .sframe,"a",@0x6ffffff4,unique,1
	.p2align 3
	.incbin	"section.bin"
	.section .sframe,"a",@0x6ffffff4,unique,2
	.p2align 3
	.incbin	"section.bin"
