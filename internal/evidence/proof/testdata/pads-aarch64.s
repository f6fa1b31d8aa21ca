// A landing pad. amd64.s explains the comments.
	.text
	.globl	throws
	.type	throws, %function
throws:
	.cfi_startproc
	.cfi_personality 0x9b, DW.ref.__gxx_personality_v0
	.cfi_lsda 0x1b, .Lthrows
	paciasp	// sp, unchanged, unchanged
	stp	x29, x30, [sp, -32]!	// sp, unchanged, unchanged
	mov	x29, sp	// sp+32, unchanged, unchanged
	str	x19, [sp, 16]	// sp+32, unchanged, *(CFA-32)
.Lt0:	bl	external	// sp+32, unchanged, *(CFA-32)
.Lt1:	ldr	x19, [sp, 16]	// sp+32, *(CFA-24), *(CFA-32) (weak)
	ldp	x29, x30, [sp], 32	// sp+32, *(CFA-24), *(CFA-32) (weak)
	autiasp	// sp, unchanged, unchanged (weak)
	ret	// sp, unchanged, unchanged (weak)
.Lt2:	mov	x19, x0	// sp+32, *(CFA-24), *(CFA-32)
	mov	x0, x19	// sp+32, *(CFA-24), *(CFA-32)
	bl	_Unwind_Resume	// sp+32, *(CFA-24), *(CFA-32)
	.cfi_endproc
	.size	throws, .-throws
	.section .gcc_except_table,"a",@progbits
.Lthrows:
	.ascii	"\377\377\001"	// LPStart and types omitted, uleb128
	.uleb128 9f-8f
8:	.uleb128 .Lt0-throws, .Lt1-.Lt0, .Lt2-throws, 0
9:
