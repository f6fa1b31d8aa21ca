# A CFA that is more than 2^31 bytes away: its word has an eighth of that.
	.text
	.globl	f
	.type	f, @function
f:
	.cfi_startproc
	agfi	%r15, -2147483496
	.cfi_def_cfa_offset 2147483656
	nopr	%r0
	.cfi_endproc
	.size	f, .-f
	.section .note.GNU-stack,"",@progbits
