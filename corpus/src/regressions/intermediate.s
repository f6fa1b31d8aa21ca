# What GCC writes with -flto: as --gsframe, of binutils 2.47.
	.section .gnu.lto_.decls,"e",@progbits
	.byte 1
