# A weak definition that weak-1.s overrides: its code stays.
	.include "arch.inc"
	.globl	weak_body
weak_body:
	fn	over, 5, .weak
