package randcfi_test

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/scripts/internal/randcfi"
)

func ExampleGenerate() {
	fmt.Print(randcfi.Generate(model.SFRAME_ABI_AMD64_ENDIAN_LITTLE, 1))
	// Output:
	//	.text
	//	.globl f0
	//	.type f0, @function
	// f0:
	//	.cfi_startproc
	//	nop
	//	.cfi_def_cfa_offset 24
	//	nop
	//	.cfi_def_cfa_register 6
	//	nop
	//	.cfi_adjust_cfa_offset 16
	//	.cfi_rel_offset 6, 0
	//	nop
	//	.cfi_restore 16
	//	nop
	//	.cfi_remember_state
	//	.cfi_rel_offset 16, 80
	//	nop
	//	.cfi_offset 2, -96
	//	nop
	//	nop
	//	.cfi_endproc
	//	.size f0, .-f0
	//	.section .note.GNU-stack,"",@progbits
}
