# Functions of several sizes after a block of code without CFI: their starts lead into code even where
# they are misread.
	.text
	.skip	512, 0x90

	.macro	function name, nops, frame
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
	push	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	sub	$\frame, %rsp
	.cfi_def_cfa_offset 16 + \frame
	.skip	\nops, 0x90
	add	$\frame, %rsp
	.cfi_def_cfa_offset 16
	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	\name, .-\name
	.endm

	function f0, 9, 16
	function f1, 31, 32
	function f2, 4, 48
	function f3, 22, 16
	function f4, 13, 64
	function f5, 40, 32
	function f6, 7, 16
	function f7, 25, 48
