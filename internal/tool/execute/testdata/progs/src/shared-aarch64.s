	.arch armv8-a
	.file	"shared.c"
	.text
	.align	2
	.p2align 4,,11
	.global	shared
	.type	shared, %function
shared:
.LFB0:
	.cfi_startproc
	stp	x29, x30, [sp, -32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	mov	x2, x0
	mov	x29, sp
	str	w1, [sp, 28]
	ldr	w0, [sp, 28]
	blr	x2
	add	w0, w0, 1
	ldp	x29, x30, [sp], 32
	.cfi_restore 30
	.cfi_restore 29
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc
.LFE0:
	.size	shared, .-shared
	.ident	"GCC: (Debian 12.2.0-14) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
