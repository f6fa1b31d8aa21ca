# Computed gotos whose table is in a word of the stack, or added to the index. amd64.s explains
# the comments.
	.text
	.globl	spilled, sum
	.type	spilled, @function
spilled:				# the table is stored
	.cfi_startproc
	stmg	%r14, %r15, 112(%r15)	# r15+160, unchanged, unchanged
	lay	%r15, -176(%r15)	# r15+160, unchanged, unchanged
	larl	%r1, .Lspilled	# r15+336, unchanged, unchanged
	stg	%r1, 168(%r15)	# r15+336, unchanged, unchanged
	brasl	%r14, external@PLT	# r15+336, unchanged, unchanged
	sllg	%r1, %r2, 3	# r15+336, *(CFA-48), unchanged (weak)
	lg	%r2, 168(%r15)	# r15+336, *(CFA-48), unchanged (weak)
	lg	%r1, 0(%r1,%r2)	# r15+336, *(CFA-48), unchanged (weak)
	br	%r1	# r15+336, *(CFA-48), unchanged (weak)
1:	lg	%r1, 168(%r15)	# r15+336, *(CFA-48), unchanged (weak)
	lg	%r1, 0(%r3,%r1)	# r15+336, *(CFA-48), unchanged (weak)
	br	%r1	# r15+336, *(CFA-48), unchanged (weak)
3:	lmg	%r14, %r15, 288(%r15)	# r15+336, *(CFA-48), unchanged (weak)
	br	%r14	# r15+160, unchanged, unchanged (weak)
	.cfi_endproc
	.size	spilled, .-spilled

	.type	sum, @function
sum:					# all ways have one jump
	.cfi_startproc
	sllg	%r2, %r2, 3	# r15+160, unchanged, unchanged
	larl	%r1, .Lsum	# r15+160, unchanged, unchanged
	lg	%r1, 0(%r2,%r1)	# r15+160, unchanged, unchanged
	j	2f	# r15+160, unchanged, unchanged
4:	lgr	%r2, %r3	# r15+160, unchanged, unchanged
	br	%r14	# r15+160, unchanged, unchanged
2:	br	%r1	# r15+160, unchanged, unchanged
	.cfi_endproc
	.size	sum, .-sum
	.section .data.rel.ro,"aw"
	.balign	8
.Lspilled:
	.quad	1b, 3b, 0
.Lsum:
	.quad	4b, 0
