package proof

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/insn"
	"github.com/sframe-lint/sframe-lint/model"
)

// scanSteps is the steps of work that it takes to look for calls in a byte of code.
const scanSteps = 8

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
func (c *collector) restore() error {
	helpers := map[entryPoint]*helper{}
	for i := range c.all {
		if w := &c.all[i]; w.Kind == WrongFP && w.Says.Kind == model.Unchanged && w.Truth.Kind == model.Invalid && w.local {
			helpers[entryPoint{w.Range.Place, w.Range.Start}] = &helper{wrong: i}
		}
	}
	if len(helpers) == 0 {
		return nil
	}
	for i := range c.fs.Ranges {
		if err := c.calls(i, helpers); err != nil {
			return err
		}
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

// calls records what a function does to the helpers that it calls or jumps to.
func (c *collector) calls(x int, helpers map[entryPoint]*helper) error {
	r := &c.fs.Ranges[x]
	code, err := c.code(r)
	if err != nil {
		return err
	}
	var rows []Row
	for off, i := range insn.For(c.abi.Machine).All(code, r.Start) {
		h := helpers[entryPoint{r.Place, i.Target}]
		if h == nil || i.Target == r.Start && i.Flow != insn.Call {
			continue
		}
		switch i.Flow {
		case insn.Call:
			if rows == nil {
				rows = c.fs.Rows(x, nil)
			}
			h.called = true
			h.from(rows, r.Start+uint64(off), entryPoint{r.Place, r.Start}, uint32(c.abi.SP))
		case insn.Jump, insn.Branch:
			h.by = append(h.by, entryPoint{r.Place, r.Start})
		}
	}
	return nil
}

// code returns the code of a range, which is to be scanned.
func (c *collector) code(r *Range) ([]byte, error) {
	if err := c.o.Budget.Step(int64(r.End-r.Start) * scanSteps); err != nil {
		return nil, err
	}
	return bytesAt(c.o, r.Place, r.Start, int(r.End-r.Start))
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

// Lookup is a call of a function with rows of a signal frame, after which another row, or another function, follows. A
// tracer that comes from a signal frame looks up the caller there, not before it.
type Lookup struct {
	Func  int // that is called
	Place uint32
	Call  uint64
	Row   bool // another row follows, of the same function
}

// lookups finds for each function of found.Called the first such call.
func (c *collector) lookups() error {
	called := map[entryPoint]int{}
	for _, i := range c.found.Called {
		called[entryPoint{c.fs.Ranges[i].Place, c.fs.Ranges[i].Start}] = i
	}
	for x := 0; x < len(c.fs.Ranges) && len(called) > 0; x++ {
		r := &c.fs.Ranges[x]
		code, err := c.code(r)
		if err != nil {
			return err
		}
		var rows []Row
		for off, i := range insn.For(c.abi.Machine).All(code, r.Start) {
			to := entryPoint{r.Place, i.Target}
			f, ok := called[to]
			if i.Flow != insn.Call || !ok {
				continue
			}
			if rows == nil {
				rows = c.fs.Rows(x, nil)
			}
			call := r.Start + uint64(off)
			next := call + uint64(i.Len)
			k := slices.IndexFunc(rows, func(r Row) bool { return r.Start == next })
			if next == r.End || k > 0 && rows[k].Row != rows[k-1].Row {
				c.found.Lookups = append(c.found.Lookups, Lookup{f, r.Place, call, next != r.End})
				delete(called, to)
			}
		}
	}
	slices.SortFunc(c.found.Lookups, func(a, b Lookup) int { return cmp.Compare(a.Func, b.Func) })
	return nil
}
