# The files of load: assembled with --gsframe, and compressed by objcopy --compress-debug-sections.
# For no-section-headers the CFI is in .eh_frame, and the file is linked with --eh-frame-hdr and
# stripped with --strip-section-headers. All tools are of GNU binutils 2.47.
	.cfi_sections .debug_frame
	.text
	.globl _start
_start:	.cfi_startproc
	.cfi_undefined rip
	call f
	hlt
	.cfi_endproc
	.size _start,.-_start
	.type _start,@function
	.globl f
	.type f,@function
f:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov %rsp,%rbp
	.cfi_def_cfa_register %rbp
	pop %rbp
	.cfi_def_cfa %rsp, 8
	.cfi_restore %rbp
	ret
	.cfi_endproc
	.size f,.-f
