package lintcmd

import (
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/internal/evidence/drops"
	"github.com/sframe-lint/sframe-lint/internal/evidence/producers"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// expectFunction is a function of a file: its member and its start, as differences have them.
type expectFunction struct{ member, start string }

// expectKnown has the functions whose data differs for a known reason: in linked files ofStartFile, ofStub, or the
// producer whose quirk it is, in object files why the assembler leaves the function out.
type expectKnown map[expectFunction]string

const ofStartFile, ofStub = "a start file", "a stub"

// knownCost is about the bytes of a function in the map.
const knownCost = 256

// add adds the functions of an object, for which FDEs are expected.
func (k expectKnown) add(o *reader.Object, want *model.Section) error {
	frames, err := cfi.Load(o, 0)
	if err != nil {
		return err
	}
	if o.ELF.Relocatable() {
		k.addLeftOut(o, want, frames)
		return o.Err()
	}
	find := func(addr uint64) (f model.FDE, ok bool) {
		for _, sf := range o.SFrames {
			if sf.Section != nil && !ok {
				f, ok = sf.Section.Find(addr)
			}
		}
		return f, ok
	}
	covered := func(addr uint64) bool {
		_, ok := find(addr)
		return ok
	}
	x, err := coverage.NewInputs(o, frames, covered)
	if err != nil {
		return err
	}
	add := func(f model.FDE, why string) {
		if why != "" && budget.Of(o.Context).Spend(budget.Memory, knownCost) == nil {
			k[key(o, f)] = why
		}
	}
	for f := range want.FDEs() {
		n, in := o.ELF.SectionAt(f.Start())
		stub := in && proof.Stubs(o.ELF.Sections[n].Name) || producers.LikeStubs(o.ELF, f.Start(), uint64(f.Size()))
		if covered(f.Start()) {
			for _, part := range findTogether(f, stub, find) {
				add(part, ofStub)
			}
		} else if stub {
			add(f, ofStub)
		} else if u, ok := uncovered(frames, f.Start()); ok && x.Start(&u) {
			add(f, ofStartFile)
		}
	}
	look := producers.Of(o)
	for _, sf := range o.SFrames {
		if sf.Section != nil && look != nil {
			for f := range sf.Section.FDEs() {
				add(f, look.Habit(producers.StubRule, producers.FunctionSection(o.ELF, f)))
			}
		}
	}
	return o.Err()
}

func key(o *reader.Object, f model.FDE) expectFunction {
	return expectFunction{escape.UTF8(o.Member), fmt.Sprintf("0x%x", f.Start())}
}

// addLeftOut adds the functions of an object file that the assembler leaves out. It skips those that start at the same offset of their
// sections.
func (k expectKnown) addLeftOut(o *reader.Object, want *model.Section, frames *cfi.Frames) {
	i := slices.IndexFunc(o.SFrames, func(s *reader.SFrame) bool { return s.Section != nil })
	if i < 0 {
		return
	}
	seen := map[expectFunction]bool{}
	for f := range want.FDEs() {
		at := key(o, f)
		if budget.Of(o.Context).Spend(budget.Memory, knownCost) != nil {
			return
		}
		if fde, ok := frames.At(uint32(f.Place()), f.Start()); ok {
			if r := drops.Of(o.SFrames[i].Section.Header(), o.ELF, &fde); !r.Lost {
				k[at] = r.Why
			}
		}
		if seen[at] {
			delete(k, at)
		}
		seen[at] = true
	}
}

// findTogether returns the one or two FDEs that describe all the stubs of an expected one with one row, as that does.
func findTogether(want model.FDE, stub bool, find func(uint64) (model.FDE, bool)) (all []model.FDE) {
	one, ok := want.At(0)
	pc := want.Start()
	for ok && stub && want.NumFREs() == 1 && pc < want.End() && len(all) < 2 {
		f, _ := find(pc)
		if f.Size() == 0 || f.Start() != pc || f.NumFREs() != 1 || f.Signal() != want.Signal() {
			return nil
		}
		if r, ok := f.At(0); !ok || r.Row() != one.Row() {
			return nil
		}
		all, pc = append(all, f), f.End()
	}
	if pc != want.End() {
		return nil
	}
	return all
}

// uncovered returns the function with CFI that starts at an address.
func uncovered(frames *cfi.Frames, addr uint64) (coverage.Uncovered, bool) {
	f, ok := frames.At(0, addr)
	section := slices.IndexFunc(frames.Sections, func(s cfi.Loaded) bool { return s.Section == f.Section() })
	return coverage.Uncovered{Section: section, Off: f.Span.Off, Addr: addr}, ok && section >= 0
}
