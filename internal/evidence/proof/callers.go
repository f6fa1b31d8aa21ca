package proof

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/evidence/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// entryPoint is where a function starts.
type entryPoint struct {
	place uint32
	pc    uint64
}

// helper is a function that overwrites FP without saving it, although its row says that FP is unchanged.
type helper struct {
	wrong  int // in all
	called bool
	kept   bool // there is a caller whose FP is lost
	by     []entryPoint
}

// restore marks the helpers whose callers do not need FP: each of them recovers FP from a slot of its own and
// counts from SP, or is such a helper itself. All callers must be known: only direct calls lead to a helper.
func (c *collector) restore(t *Tracker) error {
	helpers := map[entryPoint]*helper{}
	for i := range c.all {
		if w := &c.all[i]; w.Kind == WrongFP && w.Says.Kind == model.Unchanged && w.Truth.Kind == model.Invalid && w.local {
			helpers[entryPoint{w.Range.Place, w.Range.Start}] = &helper{wrong: i}
		}
	}
	if len(helpers) == 0 {
		return nil
	}
	err := callers(c, t, helpers, func(x int, rows []Row, pc uint64, i *insn.Insn) {
		r := &c.fs.Ranges[x]
		h, from := helpers[entryPoint{r.Place, i.Target}], entryPoint{r.Place, r.Start}
		switch {
		case i.Flow == insn.Call:
			h.called = true
			h.from(rows, pc, from, uint32(c.abi.SP))
		case i.Target != r.Start && (i.Flow == insn.Jump || i.Flow == insn.Branch):
			h.by = append(h.by, from)
		}
	})
	if err != nil {
		return err
	}
	for changed := true; changed; {
		changed = false
		for _, h := range helpers {
			if !h.kept && (!h.called || slices.ContainsFunc(h.by, func(e entryPoint) bool { return helpers[e] == nil || helpers[e].kept })) {
				h.kept, changed = true, true
			}
		}
	}
	for _, h := range helpers {
		c.all[h.wrong].Restored = !h.kept
	}
	return nil
}

// callers calls found for each instruction of all functions that leads to one of the targets, with the rows of its
// function, until there are no targets.
func callers[T any](c *collector, t *Tracker, targets map[entryPoint]T, found func(x int, rows []Row, pc uint64, i *insn.Insn)) error {
	code, wanted := CodeOf(c.o), uint64(0)
	for e := range targets {
		if x, ok := t.find(int32(e.place), e.pc); ok {
			wanted |= mark(x)
		}
	}
	for x := 0; x < len(c.fs.Ranges) && len(targets) > 0; x++ {
		if !t.img.rel && t.facts[x].leads&wanted == 0 {
			continue // as the sweep has found
		}
		r := &c.fs.Ranges[x]
		var rows []Row
		for pc, i := range code.Leading(int(r.Place), r.Start, r.End) {
			if _, ok := targets[entryPoint{r.Place, i.Target}]; !ok {
				continue
			}
			if rows == nil {
				rows = c.fs.Rows(x, nil)
			}
			found(x, rows, pc, i)
		}
	}
	return c.o.Err()
}

// from records a call at an address of a function with these rows.
func (h *helper) from(rows []Row, pc uint64, caller entryPoint, sp uint32) {
	k := slices.IndexFunc(rows, func(r Row) bool { return pc >= r.Start && pc < r.End })
	switch {
	case k < 0 || rows[k].CFA.Kind != model.InRegister || rows[k].CFA.Deref || rows[k].CFA.Reg != sp:
		h.kept = true
	case rows[k].FP.Kind == model.FromCFA && rows[k].FP.Deref:
	default:
		h.by = append(h.by, caller)
	}
}

// Lookup is a call of a function whose FDE marks it as a signal frame, which is wrong for a called function. After a
// signal frame, a tracer looks up the return address instead of the byte before it. Here that address has another row
// or belongs to another function.
type Lookup struct {
	Func  int // index of the called function
	Place uint32
	Call  uint64
	Row   bool // the return address has another row of the same function
}

// lookups finds for each function of found.Called the first such call.
func (c *collector) lookups(t *Tracker) error {
	called := map[entryPoint]int{}
	for _, i := range c.found.Called {
		called[entryPoint{c.fs.Ranges[i].Place, c.fs.Ranges[i].Start}] = i
	}
	err := callers(c, t, called, func(x int, rows []Row, pc uint64, i *insn.Insn) {
		r := &c.fs.Ranges[x]
		to, next := entryPoint{r.Place, i.Target}, pc+uint64(i.Len)
		k := slices.IndexFunc(rows, func(r Row) bool { return r.Start == next })
		if i.Flow == insn.Call && (next == r.End || k > 0 && rows[k].Row != rows[k-1].Row) {
			c.found.Lookups = append(c.found.Lookups, Lookup{called[to], r.Place, pc, next != r.End})
			delete(called, to)
		}
	})
	slices.SortFunc(c.found.Lookups, func(a, b Lookup) int { return cmp.Compare(a.Func, b.Func) })
	return err
}
