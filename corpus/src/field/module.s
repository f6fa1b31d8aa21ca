# What the build adds to a module of the kernel.
	.section .modinfo,"a"
	.asciz	"license=GPL"
	.section .gnu.linkonce.this_module,"aw"
	.zero	64
	.section .note.GNU-stack,"",@progbits
