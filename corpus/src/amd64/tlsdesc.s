# A function that reads a thread-local variable by its descriptor, and calls another file's function.
	.text
	.globl reads
	.type reads, @function
reads:	.cfi_startproc
	sub $8, %rsp
	.cfi_def_cfa_offset 16
	lea count@tlsdesc(%rip), %rax
	call *count@tlscall(%rax)
	mov %fs:(%rax), %edi
	call elsewhere@plt
	add $8, %rsp
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size reads, .-reads

	.section .tbss, "awT", @nobits
	.globl count
	.type count, @object
	.size count, 4
count:	.zero 4
