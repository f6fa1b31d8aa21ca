# A section shorter than a header.
	.section .sframe,"a",@0x6ffffff4
	.quad	0x00f800030503dee2
