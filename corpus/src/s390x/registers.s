# Leaf functions that keep registers in floating-point registers instead of the stack.
	.text
# Frame pointer and return address in f0 and f2.
	.globl	both_in_fprs
	.type	both_in_fprs, @function
both_in_fprs:
	.cfi_startproc
	ldgr	%f0, %r11
	.cfi_register 11, 16
	ldgr	%f2, %r14
	.cfi_register 14, 17
	lgr	%r11, %r15
	.cfi_def_cfa_register 11
	lgdr	%r14, %f2
	.cfi_restore 14
	lgdr	%r11, %f0
	.cfi_restore 11
	.cfi_def_cfa_register 15
	br	%r14
	.cfi_endproc
	.size	both_in_fprs, .-both_in_fprs

# The frame pointer alone, in f15 (DWARF register 31).
	.globl	fp_in_f15
	.type	fp_in_f15, @function
fp_in_f15:
	.cfi_startproc
	ldgr	%f15, %r11
	.cfi_register 11, 31
	lghi	%r11, 0
	lgdr	%r11, %f15
	.cfi_restore 11
	br	%r14
	.cfi_endproc
	.size	fp_in_f15, .-fp_in_f15

# The return address in a general register.
	.globl	ra_in_r0
	.type	ra_in_r0, @function
ra_in_r0:
	.cfi_startproc
	lgr	%r0, %r14
	.cfi_register 14, 0
	lgr	%r14, %r0
	.cfi_restore 14
	br	%r14
	.cfi_endproc
	.size	ra_in_r0, .-ra_in_r0

# The frame pointer is on the stack and the return address is not saved: a word of
# padding stands where its offset would.
	.globl	fp_without_ra
	.type	fp_without_ra, @function
fp_without_ra:
	.cfi_startproc
	stg	%r11, 88(%r15)
	.cfi_offset 11, -72
	lghi	%r11, 0
	lg	%r11, 88(%r15)
	.cfi_restore 11
	br	%r14
	.cfi_endproc
	.size	fp_without_ra, .-fp_without_ra
	.section .note.GNU-stack,"",@progbits
