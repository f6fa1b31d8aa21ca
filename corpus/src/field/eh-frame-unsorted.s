# A .eh_frame_hdr whose entries descend. In .eh_frame the CIE has 0x18 bytes, and leaf's FDE 0x14.
	.section .eh_frame, "a"
frames:
	.section .eh_frame_hdr, "a"
header:
	.byte	1, 0x1b, 0x03, 0x3b
	.long	frames - .
	.long	2
	.long	deep - header, frames + 0x2c - header
	.long	leaf - header, frames + 0x18 - header
