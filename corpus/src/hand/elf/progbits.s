# Version 3 in a section of type SHT_PROGBITS.
	.section .sframe,"a",@progbits
	.p2align 3
	.incbin	"section.bin"
