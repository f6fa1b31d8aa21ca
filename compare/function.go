package compare

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Function is the description of a function in a section, independent of its
// encoding.
type Function struct {
	Name    string // symbol at its start, "" if there is none
	Aliases []string
	Section string // name of the section that contains it, "" if unknown
	Offset  uint64 // in that section; the address if it is unknown
	Start   uint64 // address, or offset in the section of a relocatable file
	Size    uint32
	Signal  bool
	Ranges  []Range
	// Rep is the stub size of a MASK function with too many stubs to expand.
	// Ranges then describe one stub.
	Rep uint8
	FDE int

	at Place
}

// Range is a run of PCs with one FRE.
type Range struct {
	From, To uint64 // offsets from the function's start
	Rule     Rule
}

// Rule is the recovery rule of a range. It can be compared with ==.
type Rule struct {
	Covered bool // there is an FRE
	Row     model.Row
	// Signed reports whether RA is signed, KeyB whether with key B (AArch64).
	Signed, KeyB bool
}

// Limits for the expansion of stubs: ranges of a function, and ranges of a
// section. FDEs may have any number of stubs.
const (
	maxUnrolled   = 1 << 16
	sectionBudget = 1 << 20
)

// functions returns the functions of a section. It omits functions with unknown
// starts and returns their number.
func functions(o *reader.Object, sf *reader.SFrame, names map[Place][]string) (funcs []Function, unknown int) {
	s := sf.Section
	if s == nil {
		return nil, 0
	}
	funcs = make([]Function, 0, s.NumFDEs())
	budget := uint64(sectionBudget)
	for i := range s.NumFDEs() {
		f := s.FDE(i)
		if !f.Resolved() {
			unknown++
			continue
		}
		fn := Function{Start: f.Start(), Offset: f.Start(), Size: f.Size(), Signal: f.Signal(), FDE: i}
		fn.place(o, f, names)
		fn.Ranges = ranges(f)
		fn.unroll(f, &budget)
		funcs = append(funcs, fn)
	}
	return funcs, unknown
}

// place finds the function's symbols and section.
func (fn *Function) place(o *reader.Object, f model.FDE, names map[Place][]string) {
	fn.at = Place{-1, f.Start()}
	e := o.ELF
	if e == nil {
		return
	}
	index := f.Place()
	if e.Relocatable() {
		fn.at.Section = index
	} else {
		index, _ = e.SectionAt(f.Start())
	}
	if index > 0 && index < len(e.Sections) {
		fn.Section = e.Sections[index].Name
		if !e.Relocatable() {
			fn.Offset = f.Start() - e.Sections[index].Addr
		}
	}
	all := names[fn.at]
	if len(all) == 0 {
		return
	}
	fn.Name = all[0]
	if sym, ok := e.Symbols.Func(fn.at.Section, f.Start()); ok && slices.Contains(all, sym.Name) {
		fn.Name = sym.Name // the best one
	}
	for _, name := range all {
		if name != fn.Name {
			fn.Aliases = append(fn.Aliases, name)
		}
	}
}

// ranges returns an FDE's FREs as runs of PCs, those of one stub for PC type
// MASK. It joins neighbours with the same rule.
func ranges(f model.FDE) []Range {
	extent := uint64(f.Extent())
	var out []Range
	add := func(from, to uint64, rule Rule) {
		to = min(to, extent)
		if from >= to {
			return
		}
		if n := len(out); n > 0 && out[n-1].Rule == rule && out[n-1].To == from {
			out[n-1].To = to
			return
		}
		out = append(out, Range{from, to, rule})
	}
	at := uint64(0)
	for r := range f.FREs() {
		if at < uint64(r.Start()) {
			add(at, uint64(r.Start()), Rule{})
		}
		at = uint64(r.End())
		rule := Rule{Covered: true, Row: r.Row(), Signed: r.MangledRA()}
		rule.KeyB = rule.Signed && f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B
		add(uint64(r.Start()), at, rule)
	}
	if f.NumFREs() == 0 {
		add(0, extent, noRows(f))
	}
	return out
}

// noRows returns the rule of an FDE without FREs: an outermost frame in version
// 3 with the default type, otherwise none.
func noRows(f model.FDE) Rule {
	if !f.Section().Version().Info().OutermostFDE || f.Signal() || f.Type() != model.SFRAME_FDE_TYPE_DEFAULT {
		return Rule{}
	}
	u := model.Recovery{Kind: model.Undefined}
	return Rule{Covered: true, Row: model.Row{CFA: u, RA: u, FP: u}}
}

// unroll expands the stubs of a MASK function, so that it can be compared with
// one that has an FDE for each.
func (fn *Function) unroll(f model.FDE, budget *uint64) {
	rep := uint64(f.RepSize())
	if f.PCType() != model.SFRAME_FDE_PCTYPE_MASK || rep == 0 {
		return
	}
	stubs := (uint64(f.Size()) + rep - 1) / rep
	n := stubs * uint64(len(fn.Ranges))
	if n > min(maxUnrolled, *budget) {
		fn.Rep = f.RepSize()
		return
	}
	*budget -= n
	one := fn.Ranges
	fn.Ranges = nil
	for i := range stubs {
		for _, r := range one {
			r.From, r.To = r.From+i*rep, min(r.To+i*rep, uint64(f.Size()))
			if n := len(fn.Ranges); n > 0 && fn.Ranges[n-1].Rule == r.Rule {
				fn.Ranges[n-1].To = r.To
			} else if r.From < r.To {
				fn.Ranges = append(fn.Ranges, r)
			}
		}
	}
}

// Format returns a rule in words.
func (r Rule) Format(abi model.ABIInfo) string {
	if !r.Covered {
		return "no FRE"
	}
	if r.Row.Outermost() {
		return "outermost frame"
	}
	s := "CFA = " + r.Row.CFA.Format(abi) + ", RA " + r.Row.RA.Format(abi) + ", FP " + r.Row.FP.Format(abi)
	switch {
	case r.KeyB:
		s += ", RA signed with key B"
	case r.Signed:
		s += ", RA signed"
	}
	return s
}
