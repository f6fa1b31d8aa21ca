# Landing pads of exceptions. amd64.s explains the comments.
	.text
	.globl	throws, pushes_arguments, parted, unordered
	.type	throws, @function
throws:
	.cfi_startproc
	.cfi_personality 0x9b, DW.ref.__gxx_personality_v0
	.cfi_lsda 0x1b, .Lthrows
	push	%rbp	# rsp+8, *(CFA-8), unchanged
	sub	$16, %rsp	# rsp+16, *(CFA-8), unchanged
.Lt0:	call	external	# rsp+32, *(CFA-8), unchanged
.Lt1:	add	$16, %rsp	# rsp+32, *(CFA-8), unchanged (weak)
	pop	%rbp	# rsp+16, *(CFA-8), unchanged (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
.Lt2:	mov	%rax, %rbp	# rsp+32, *(CFA-8), unchanged
	mov	%rbp, %rdi	# rsp+32, *(CFA-8), *(CFA-16)
.Lt3:	call	_Unwind_Resume	# rsp+32, *(CFA-8), *(CFA-16)
.Lt4:
	.cfi_endproc
	.size	throws, .-throws

	.type	pushes_arguments, @function
pushes_arguments:			# the landing pad does not have the arguments
	.cfi_startproc
	.cfi_personality 0x9b, DW.ref.__gxx_personality_v0
	.cfi_lsda 0x1b, .Lpushes
	push	%rbx	# rsp+8, *(CFA-8), unchanged
.Lp0:	call	external	# rsp+16, *(CFA-8), unchanged
	push	%rax	# rsp+16, *(CFA-8), unchanged (weak)
	push	$1	# rsp+24, *(CFA-8), unchanged (weak)
	.cfi_escape 0x2e, 16
	call	external	# rsp+32, *(CFA-8), unchanged (weak)
.Lp1:	add	$16, %rsp	# rsp+32, *(CFA-8), unchanged (weak)
	.cfi_escape 0x2e, 0
	pop	%rbx	# rsp+16, *(CFA-8), unchanged (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
.Lp2:	pop	%rbx	# rsp+16, *(CFA-8), unchanged
	ret	# rsp+8, *(CFA-8), unchanged
	.cfi_endproc
	.size	pushes_arguments, .-pushes_arguments

	.type	parted, @function
parted:					# the landing pad is in a part of its own
	.cfi_startproc
	.cfi_personality 0x9b, DW.ref.__gxx_personality_v0
	.cfi_lsda 0x1b, .Lparted
	push	%rbx	# rsp+8, *(CFA-8), unchanged
.Lc0:	call	abort	# rsp+16, *(CFA-8), unchanged
.Lc1:
	.cfi_endproc
	.size	parted, .-parted

	.type	unordered, @function
unordered:				# nothing is believed of a table that is not in order
	.cfi_startproc
	.cfi_personality 0x9b, DW.ref.__gxx_personality_v0
	.cfi_lsda 0x1b, .Lunordered
	push	%rbx	# rsp+8, *(CFA-8), unchanged
.Lu0:	call	external	# rsp+16, *(CFA-8), unchanged
.Lu1:	pop	%rbx	# rsp+16, *(CFA-8), unchanged (weak)
	ret	# rsp+8, *(CFA-8), unchanged (weak)
.Lu2:	pop	%rbx	# -
	ret	# -
	.cfi_endproc
	.size	unordered, .-unordered

	.section .text.unlikely,"ax",@progbits
	.type	parted.cold, @function
parted.cold:
	.cfi_startproc
	nop	# -
.Lc2:	pop	%rbx	# rsp+16, *(CFA-8), unchanged
	ret	# rsp+8, *(CFA-8), unchanged
	.cfi_endproc
	.size	parted.cold, .-parted.cold

	.section .gcc_except_table,"a",@progbits
.Lthrows:
	.ascii	"\377\377\001"	# LPStart and types omitted, uleb128
	.uleb128 9f-8f
8:
	.uleb128 .Lt0-throws, .Lt1-.Lt0, .Lt2-throws, 0
	.uleb128 .Lt3-throws, .Lt4-.Lt3, 0, 0
9:
.Lpushes:
	.ascii	"\377\377\001"	# LPStart and types omitted, uleb128
	.uleb128 9f-8f
8:
	.uleb128 .Lp0-pushes_arguments, .Lp1-.Lp0, .Lp2-pushes_arguments, 0
9:
.Lparted:
	.ascii	"\033"		# LPStart: pcrel, 4 bytes
	.long	.text.unlikely-.
	.ascii	"\377\001"
	.uleb128 9f-8f
8:	.uleb128 .Lc0-parted, .Lc1-.Lc0, .Lc2-parted.cold, 0
9:
.Lunordered:
	.ascii	"\377\377\001"	# LPStart and types omitted, uleb128
	.uleb128 9f-8f
8:
	.uleb128 .Lu0-unordered, .Lu1-.Lu0, .Lu2-unordered, 0
	.uleb128 .Lu0-unordered, .Lu1-.Lu0, .Lu2-unordered, 0
9:
	.section .note.GNU-stack,"",@progbits
