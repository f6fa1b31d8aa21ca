# A section alone; the command line says for what machine.
	.section .sframe,"a",@0x6ffffff4
	.p2align 3
	.incbin	"section.bin"
