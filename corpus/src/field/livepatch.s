# What the build adds to a live patch.
	.section .klp.sym.vmlinux,"a"
	.zero	8
	.section .note.GNU-stack,"",@progbits
