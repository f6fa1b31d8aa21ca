# An entry point: the outermost frame, whose return address is undefined.
	.text
	.globl	_start
	.type	_start, @function
_start:
	.cfi_startproc
	.cfi_undefined 14
	lghi	%r11, 0
	aghi	%r15, -160
	.cfi_def_cfa_offset 320
	brasl	%r14, main
	svc	1
	.cfi_endproc
	.size	_start, .-_start
	.section .note.GNU-stack,"",@progbits
