# h calls f through the PLT of a shared library that defines f, so f is no signal frame. Link with ld -shared.
	.text
	.globl f
	.type f, @function
f:	.cfi_startproc
	.cfi_signal_frame
	push %rbx
	.cfi_def_cfa_offset 16
	call g
	pop %rbx
	.cfi_def_cfa_offset 8
	jmp *(%rdi)
	.cfi_endproc
	.size f, .-f
	.type g, @function
g:	.cfi_startproc
	ret
	.cfi_endproc
	.size g, .-g
	.globl h
	.type h, @function
h:	.cfi_startproc
	push %rbx
	.cfi_def_cfa_offset 16
	call f@plt
	pop %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size h, .-h
