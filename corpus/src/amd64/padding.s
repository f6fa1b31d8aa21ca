# Data that compress well, so that UPX packs the program.
	.data
	.zero	50000
	.section .note.GNU-stack,"",@progbits
