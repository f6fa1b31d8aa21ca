# Two equal functions in sections of their own, which --icf=all folds.
	.include "arch.inc"
	.section .text.same0,"ax",%progbits
	fn	same0, 4
	.section .text.same1,"ax",%progbits
	fn	same1, 4
	.text
	calls	icf_start, same0
	calls	icf_other, same1
