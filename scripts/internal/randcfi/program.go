// Package randcfi makes assembly with random call frame information, for every ABI of
// SFrame. It tests what assemblers make of the directives: the .sframe and the
// .eh_frame of an object must agree.
//
// The directives are valid: GNU as and llvm-mc accept them, apart from those that a
// release does not have. What they say is mostly like a compiler's output, and at
// times as odd as the directives allow.
package randcfi

import (
	"debug/elf"
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// Program is a source file.
type Program struct {
	ABI   model.ABI
	Funcs []Func
}

// Func is a function, or the part of one that is in another section.
type Func struct {
	Name    string
	Section string   // "" stands for .text
	Start   string   // the directive that begins the CFI: .cfi_startproc, or with "simple"
	Lines   []string // instructions and directives
}

// String returns the program as assembly.
func (p *Program) String() string {
	var b strings.Builder
	for i := range p.Funcs {
		f := &p.Funcs[i]
		if f.Section == "" {
			b.WriteString("\t.text\n")
		} else {
			fmt.Fprintf(&b, "\t.section %s,\"ax\",@progbits\n", f.Section)
		}
		fmt.Fprintf(&b, "\t.globl %s\n\t.type %[1]s, @function\n%[1]s:\n\t%s\n", f.Name, f.Start)
		for _, l := range f.Lines {
			fmt.Fprintf(&b, "\t%s\n", l)
		}
		fmt.Fprintf(&b, "\t.cfi_endproc\n\t.size %s, .-%[1]s\n", f.Name)
	}
	b.WriteString("\t.section .note.GNU-stack,\"\",@progbits\n")
	return b.String()
}

// nop returns an instruction of the ABI that does nothing.
func nop(abi model.ABIInfo) string {
	if abi.Machine == elf.EM_S390 {
		return "nopr %r0"
	}
	return "nop"
}
