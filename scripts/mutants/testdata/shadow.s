// The shadow call stack of AArch64: TestKinds. Link with -shared -z noseparate-code -z max-page-size=4096.
	.text
	.globl f
	.type f, %function
f:
	.cfi_startproc
	str x30, [x18], 8
	stp x29, x30, [sp, -16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	bl g
	ldp x29, x30, [sp], 16
	.cfi_def_cfa_offset 0
	.cfi_restore 29
	.cfi_restore 30
	ldr x30, [x18, -8]!
	ret
	.cfi_endproc
	.size f, .-f
	.type g, %function
g:
	.cfi_startproc
	ret
	.cfi_endproc
	.size g, .-g
	.section .gcc_except_table, "a" // leaves room behind .sframe
	.balign 256
	.quad 0
