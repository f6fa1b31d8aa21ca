# CFI directives after the last instruction: the FRE starts where f ends and g starts.
	.text
	.globl f
	.type f, @function
f:	.cfi_startproc
	ret
	.cfi_adjust_cfa_offset 8
	.cfi_endproc
	.size f, .-f
	.globl g
	.type g, @function
g:	.cfi_startproc
	ret
	.cfi_endproc
	.size g, .-g
