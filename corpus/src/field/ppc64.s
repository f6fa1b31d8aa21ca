# The draft for PowerPC64: no assembler here writes its data. ABI is the identifier, FRAME the
# size of the frame that the FRE states; it has 48 bytes.
	.abiversion 2
	.text
	.globl	caller, leaf
	.type	caller, @function
caller:
	.cfi_startproc
	mflr	0
	std	0, 16(1)
	.cfi_offset 65, 16
	stdu	1, -48(1)
	.cfi_def_cfa_offset 48
	bl	leaf
	addi	1, 1, 48
	.cfi_def_cfa_offset 0
	ld	0, 16(1)
	mtlr	0
	.cfi_restore 65
	blr
	.cfi_endproc
	.size	caller, .-caller
	.type	leaf, @function
leaf:
	.cfi_startproc
	blr
	.cfi_endproc
	.size	leaf, .-leaf

	.section .sframe, "a", @0x6ffffff4
	.balign	8
	.2byte	0xdee2
	.byte	3, 5, ABI, 0, 0, 0
	.4byte	2, 6, fres_end - fres, 0, fres - fdes
fdes:
	.8byte	caller - .
	.4byte	32, 0
	.8byte	leaf - .
	.4byte	4, fres_leaf - fres
fres:
	.2byte	5
	.byte	0, 0, 0
	.byte	0, 3, 0
	.byte	8, 5, 0, 16
	.byte	12, 5, FRAME, 16
	.byte	20, 5, 0, 16
	.byte	28, 3, 0
fres_leaf:
	.2byte	1
	.byte	0, 0, 0
	.byte	0, 3, 0
fres_end:
