# A section that no loader would map.
	.section .sframe,"",@0x6ffffff4
	.p2align 3
	.incbin	"section.bin"
