# A section that has a size and no bytes in the file.
	.section .sframe,"aw",@nobits
	.skip	200
