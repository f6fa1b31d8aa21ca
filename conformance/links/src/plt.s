# Calls through a PLT.
	.include "arch.inc"
	plt_calls	p0, external_a
	plt_calls	p1, external_b
