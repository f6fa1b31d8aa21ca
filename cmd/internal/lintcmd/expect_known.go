package lintcmd

import (
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/budget"
	"github.com/sframe-lint/sframe-lint/internal/cfi"
	"github.com/sframe-lint/sframe-lint/internal/coverage"
	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/internal/producers"
	"github.com/sframe-lint/sframe-lint/internal/proof"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// expectPlace is a function of a file: its member and its start, as differences have them.
type expectPlace struct{ member, start string }

// expectKnown has the functions of linked files whose data differs for a known reason: ofStartFile, ofStub, or the
// producer whose quirk it is.
type expectKnown map[expectPlace]string

const ofStartFile, ofStub = "a start file", "a stub"

// stubRows is the rule that compares rows with the stubs of a PLT.
const stubRows = "SF6018"

// knownCost is about the bytes of a function in the map.
const knownCost = 256

// add adds the functions of an object, for which FDEs are expected.
func (k expectKnown) add(o *reader.Object, want *model.Section) error {
	if o.ELF.Relocatable() {
		return nil
	}
	frames, err := cfi.Load(o, 0)
	if err != nil {
		return err
	}
	covered := func(addr uint64) bool {
		return slices.ContainsFunc(o.SFrames, func(sf *reader.SFrame) bool {
			ok := sf.Section != nil
			if ok {
				_, ok = sf.Section.Find(addr)
			}
			return ok
		})
	}
	x, err := coverage.NewInputs(o, frames, covered)
	if err != nil {
		return err
	}
	add := func(f model.FDE, why string) {
		if why != "" && o.Budget.Spend(budget.Memory, knownCost) == nil {
			k[expectPlace{escape.UTF8(o.Member), fmt.Sprintf("0x%x", f.Start())}] = why
		}
	}
	for f := range want.FDEs() {
		if n, ok := o.ELF.SectionAt(f.Start()); covered(f.Start()) {
			continue
		} else if ok && proof.Stubs(o.ELF.Sections[n].Name) {
			add(f, ofStub)
		} else if u, ok := uncovered(frames, f.Start()); ok && x.Start(&u) {
			add(f, ofStartFile)
		}
	}
	look := producers.Of(o)
	for _, sf := range o.SFrames {
		if sf.Section != nil && look != nil {
			for f := range sf.Section.FDEs() {
				add(f, look.Habit(stubRows, producers.FunctionSection(o.ELF, f)))
			}
		}
	}
	return o.Budget.Err()
}

// uncovered returns the function with CFI that starts at an address.
func uncovered(frames *cfi.Frames, addr uint64) (coverage.Uncovered, bool) {
	f, ok := frames.At(0, addr)
	section := slices.IndexFunc(frames.Sections, func(s cfi.Loaded) bool { return s.Section == f.Section() })
	return coverage.Uncovered{Section: section, Off: f.Span.Off, Addr: addr}, ok && section >= 0
}
