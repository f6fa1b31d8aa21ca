package crosscheck

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// StubRows finds FREs that contradict the code of a PLT.
var StubRows = rules.New(rules.Rule{
	ID:       "SF6018",
	Title:    "FREs contradict the stubs of the PLT",
	Clause:   "SFrame FDE",
	Files:    rules.LinkedFiles,
	Needs:    []rules.Fact{rules.FDEsKnown, rules.FREsKnown, rules.ABIKnown, rules.StartsAsFlagged},
	Signs:    rules.InLinkedFile,
	Severity: rules.Error,
	Text: `The code of a PLT consists of stubs that linkers write from templates, so the
right FREs are known. Here an FRE gives another CFA at an instruction of a stub. A
tracer that interrupts the program there finds a wrong return address. Causes are a
wrong offset, PC type INC for more than one stub, and a rep_size other than the size
of the stub. GNU ld 2.44 to 2.47 gives CFA = rsp+16 for the stubs of .plt.got, which
push nothing. GNU ld 2.40 with -z ibtplt describes .plt.sec as if it began with the
stub that calls the resolver. The rule compares the first 8 KiB of each PLT.`,
	Fix:  `Correct the linker. Code compiled with ` + "`-fno-plt`" + ` needs no stubs.`,
	Good: `.plt.got: PC type MASK, rep_size 8, one FRE with CFA = rsp+8`,
	Bad:  `.plt.got: PC type MASK, rep_size 8, one FRE with CFA = rsp+16`,
}, func(c *rules.Context) {
	if !c.Linked() || c.Section.NumFDEs() == 0 {
		return
	}
	size, left := uint64(maxStubs), maxPLTs
	if !c.Section.StartsAscend() || !c.Section.Disjoint() {
		size = 64 // each look-up may walk all FDEs
	}
	var code []byte
	for i := range c.Object.ELF.Sections {
		p := &c.Object.ELF.Sections[i]
		if !isPLT(p) || left == 0 {
			continue
		}
		left--
		var err error
		if code, err = c.Object.ELF.SectionPart(i, 0, size, code); err == nil {
			checkStubs(c, p, code)
		}
	}
})

// maxStubs is the number of bytes of a PLT that are compared with its FREs.
const maxStubs = 8 << 10

// maxPLTs is more PLTs than a linker writes.
const maxPLTs = 8

// checkStubs compares the stubs of a PLT with their FREs.
func checkStubs(c *rules.Context, p *reader.Section, code []byte) {
	abi := c.Section.ABI()
	reported := -1 // FDE
	for at := 0; at < len(code); {
		s := stubAt(&abi, code[at:], at == 0)
		if s == nil {
			return
		}
		for _, in := range s.insns {
			pc := p.Addr + uint64(at) + in.at
			f, ok := c.Section.Find(pc)
			if !ok || f.Index() == reported {
				break
			}
			r, ok := f.At(pc - f.Start())
			if !ok {
				continue
			}
			want := model.Recovery{Kind: model.InRegister, Reg: abi.SP, Offset: in.cfa}
			if got := r.Row().CFA; got.Kind == model.InRegister && got != want {
				contradicted(c, f, r, s, pc-in.at, fmt.Sprintf("the FRE gives CFA = %s, but at 0x%x, %s %s of %s, it is %s", got.Format(abi), pc, into(in.at), s.name, p.Name, want.Format(abi)))
				reported = f.Index()
				break
			}
		}
		at += len(s.code)
	}
}

// contradicted reports an FRE at the field that makes it wrong.
func contradicted(c *rules.Context, f model.FDE, r model.FRE, s *stub, start uint64, text string) {
	const why = "a tracer that interrupts the program there finds a wrong return address"
	switch stub := uint64(len(s.code)); {
	case f.PCType() == model.SFRAME_FDE_PCTYPE_INC && start >= f.Start()+stub:
		c.FDE(f, model.FDEInfo, "%s: PC type INC describes only one stub, and the function has several of %d bytes: %s", text, stub, why)
	case f.PCType() == model.SFRAME_FDE_PCTYPE_MASK && uint64(f.RepSize()) != stub:
		c.FDE(f, model.FDERepSize, "%s: rep_size is %d, but each stub has %d bytes: %s", text, f.RepSize(), stub, why)
	default:
		c.FRE(r, r.Span(), "%s: %s", text, why)
	}
}

// into says where in a stub an instruction is.
func into(at uint64) string {
	if at == 0 {
		return "the start of"
	}
	return fmt.Sprintf("%d bytes into", at)
}
