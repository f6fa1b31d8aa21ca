package insn_test

import (
	"debug/elf"
	"fmt"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// Follow SP through the first instructions of a function.
func Example() {
	code := []byte("\x55\x48\x89\xe5\x48\x83\xec\x20\xe8\x10\x00\x00\x00\xc9\xc3")
	abi := model.LookupMachine(elf.EM_X86_64, false)
	sp, down := insn.Reg(abi.SP), int64(0)
	for off, i := range insn.For(abi.Machine).All(code, 0x1000) {
		fmt.Printf("0x%x %-22s CFA = rsp+%d\n", 0x1000+off, insn.Text(abi.Machine, code[off:], 0x1000+uint64(off)), abi.EntryCFA+down)
		if i.Flow == insn.Call {
			fmt.Printf("it calls 0x%x\n", i.Target)
			break
		}
		for _, op := range i.Ops[:i.N] {
			if op.Do == insn.Move && op.Dst == sp && op.Src == sp {
				down -= op.Off
			}
		}
	}
	// Output:
	// 0x1000 push %rbp              CFA = rsp+8
	// 0x1001 mov %rsp,%rbp          CFA = rsp+16
	// 0x1004 sub $0x20,%rsp         CFA = rsp+16
	// 0x1008 callq 0x101d           CFA = rsp+48
	// it calls 0x101d
}
