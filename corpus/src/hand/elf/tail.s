# Behind text-amd64.s: code that no symbol names, so that functions that are taken for
# higher ones than they are still lie in code.
	.text
	.skip	0x100, 0x90
