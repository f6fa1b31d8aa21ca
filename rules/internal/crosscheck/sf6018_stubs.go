package crosscheck

import (
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/internal/base/machinecode"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

var StubRows = rules.New(rules.Rule{
	Requires: []*analysis.Analyzer{wrongStubs},
	ID:       "SF6018",
	Files:    rules.LinkedFiles,
	Needs:    rules.FDEsKnown | rules.FREsKnown | rules.ABIKnown | rules.StartsAsFlagged,
}, func(c *rules.Context) {
	abi := c.Section.ABI()
	for _, w := range prereq.Get[[]wrongStub](c.Pass, wrongStubs) {
		f, name, has, want, why := w.fre.FDE(), "the CFA", w.fre.Row().CFA.Format(abi), stubCFA(&abi, w.insn).Format(abi), "a tracer finds a wrong RA"
		if w.fp {
			name, has, want, why = "FP", w.fre.Row().FP.Format(abi), "unchanged", "tracers lose callers that use FP"
		}
		text := fmt.Sprintf("%s at 0x%x is %s in the FRE, but %s in the code", name, w.start+w.insn.At, has, want)
		where := fmt.Sprintf("%s, %s of %s", w.plt, offsetInStub(w.insn.At), w.stub.Name)
		switch size := w.stub.Size(); {
		case !f.Mask() && w.start >= f.Start()+size:
			c.FDE(f, model.FDEInfo, "%s (%s; PC type INC describes one stub, not several): %s", text, where, why)
		case f.Mask() && uint64(f.RepSize()) != size:
			c.FDE(f, model.FDERepSize, "%s (%s; rep_size is %d, but stubs have %d bytes): %s", text, where, f.RepSize(), size, why)
		default:
			c.FRE(w.fre, w.fre.Span(), "%s (%s): %s", text, where, why)
		}
	}
})

// offsetInStub says where in a stub an instruction is.
func offsetInStub(at uint64) string {
	if at == 0 {
		return "start"
	}
	return fmt.Sprintf("byte %d", at)
}

// wrongStub is an instruction of a stub for which an FRE gives a wrong CFA, or FP.
type wrongStub struct {
	fre   model.FRE
	fp    bool
	plt   string // the section
	stub  *machinecode.Stub
	start uint64 // of the stub
	insn  machinecode.StubInsn
}

// wrongStubs gives a rule the first wrong stub of each FDE.
var wrongStubs = prereq.OfSection("stubs", "the stubs of PLTs that FREs contradict", func(pass *analysis.Pass) []wrongStub {
	c := rules.Look(pass)
	if !c.Object.Linked() || c.Section.NumFDEs() == 0 {
		return nil
	}
	size := uint64(maxStubs)
	if !c.Section.StartsAscend() || !c.Section.Disjoint() {
		size = 64 // each look-up may walk all FDEs
	}
	var all []wrongStub
	var code []byte
	stubs := plts(c)
	for _, i := range stubs[:min(maxPLTs, len(stubs))] {
		var err error
		if code, err = c.Object.ELF.SectionPart(i, 0, size, code); err == nil {
			all = append(all, compareStubs(c.Section, &c.Object.ELF.Sections[i], code)...)
		}
	}
	if len(c.Object.ELF.Sections) == 0 {
		all = append(all, wrongByFDE(c, size)...)
	}
	return all
})

// wrongByFDE finds wrong stubs in a file without section headers: in the code of FDEs that repeat.
func wrongByFDE(c *rules.Context, size uint64) (all []wrongStub) {
	n := 0
	for f := range c.Section.FDEs() {
		if !f.Mask() {
			continue
		}
		if n++; n > maxPLTs {
			break
		}
		if code, err := c.Object.ELF.Part(0, f.Start(), min(uint64(f.Size()), uint64(size)), nil); err == nil && code != nil {
			all = append(all, compareStubs(c.Section, &reader.Section{Name: "a PLT", Addr: f.Start()}, code)...)
		}
	}
	return all
}

// maxStubs is the number of bytes of a PLT that are compared with its FREs.
const maxStubs = 8 << 10

// maxPLTs is more PLTs than a linker writes.
const maxPLTs = 8

// compareStubs compares the stubs of a PLT with their FREs.
func compareStubs(s *model.Section, p *reader.Section, code []byte) (all []wrongStub) {
	abi, last := s.ABI(), -1 // FDE that is wrong
	for at := 0; at < len(code); {
		stub := machinecode.StubAt(abi.Machine, code[at:], at == 0)
		if stub == nil {
			break
		}
		start := p.Addr + uint64(at)
		for _, in := range stub.Insns {
			f, ok := s.Find(start + in.At)
			if !ok || f.Index() == last {
				break
			}
			r, ok := f.At(start + in.At - f.Start())
			if !ok {
				continue
			}
			row := r.Row()
			fp := row.FP.Kind == model.FromCFA || row.FP.Kind == model.InRegister
			if row.CFA.Kind == model.InRegister && (fp || row.CFA != stubCFA(&abi, in)) {
				all = append(all, wrongStub{r, row.CFA == stubCFA(&abi, in), p.Name, stub, start, in})
				last = f.Index()
				break
			}
		}
		at += int(stub.Size())
	}
	return all
}

// stubCFA returns the CFA at an instruction of a stub.
func stubCFA(abi *model.ABIInfo, in machinecode.StubInsn) model.Recovery {
	return model.Recovery{Kind: model.InRegister, Reg: abi.SP, Offset: in.CFA}
}
