# Three sections: --gc-sections with the entry gc_start discards that of "lost".
	.include "arch.inc"
	.section .text.lost,"ax",%progbits
	fn	lost, 3
	.section .text.gc_start,"ax",%progbits
	calls	gc_start, kept
	.section .text.kept,"ax",%progbits
	fn	kept, 2
