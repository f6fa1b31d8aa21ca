// An entry point: the outermost frame, whose return address is undefined.
	.text
	.globl	_start
	.type	_start, %function
_start:
	.cfi_startproc
	.cfi_undefined x30
	mov	x29, #0
	mov	x30, #0
	bl	main
	mov	x8, #93
	svc	#0
	.cfi_endproc
	.size	_start, .-_start
	.section .note.GNU-stack,"",%progbits
