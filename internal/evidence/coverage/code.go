package coverage

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Code counts the machine code of a file that is tracked: at how many instructions the CFA is
// known, so that rules on machine code check the FREs there. Its functions are those with FDEs,
// or those with CFI in a file without SFrame data.
type Code struct {
	Functions        int       `json:"functions"`
	TrackedFunctions int       `json:"tracked_functions"` // with all instructions tracked
	Insns            int       `json:"instructions"`
	TrackedInsns     int       `json:"tracked_instructions"`
	Untracked        []Unknown `json:"untracked"` // by reason: most instructions first
}

// Unknown counts instructions that are not tracked for one reason.
type Unknown struct {
	Reason string `json:"reason"`
	Insns  int    `json:"instructions"`
}

// MeasureCode sets the Code of a file, while the object is visited. It stays nil if code of the
// machine cannot be tracked. Errors: I/O and the budget.
func (f *File) MeasureCode(o *reader.Object) error {
	if o.ELF == nil {
		return nil
	}
	frames, err := cfi.Load(o, 0)
	if err != nil {
		return err
	}
	ranges := functionsWithFDEs(o)
	if len(ranges) == 0 {
		frames.Each(func(place uint32, start, end uint64, _ cfi.FDE) bool {
			ranges = append(ranges, proof.Range{Place: place, Start: start, End: end})
			return true
		})
	}
	t, err := proof.New(o, disjoint(ranges), proof.LSDAs(frames), nil)
	if errors.Is(err, proof.ErrABI) {
		return nil
	}
	if err == nil {
		err = t.Run(runtime.GOMAXPROCS(0), nil)
	}
	if err != nil {
		return err
	}
	s := t.Stats()
	f.Tracked = &Code{Functions: s.Functions, TrackedFunctions: s.Tracked, Insns: s.Insns, TrackedInsns: s.Insns, Untracked: []Unknown{}}
	for r := proof.Known + 1; int(r) < proof.NumReasons; r++ {
		if n := s.Unknown[r]; n > 0 {
			f.Tracked.TrackedInsns -= n
			f.Tracked.Untracked = append(f.Tracked.Untracked, Unknown{r.String(), n})
		}
	}
	slices.SortStableFunc(f.Tracked.Untracked, func(a, b Unknown) int { return cmp.Compare(b.Insns, a.Insns) })
	return nil
}

// functionsWithFDEs returns what the FDEs of a file describe.
func functionsWithFDEs(o *reader.Object) (out []proof.Range) {
	for _, sf := range o.SFrames {
		if sf.Section == nil {
			continue
		}
		for i := range sf.Section.NumFDEs() {
			f := sf.Section.FDE(i)
			if !f.Resolved() || f.End() <= f.Start() {
				continue
			}
			out = append(out, proof.RangeOf(&f))
		}
	}
	return out
}

// disjoint sorts ranges and leaves out those that start in another one.
func disjoint(all []proof.Range) []proof.Range {
	slices.SortFunc(all, func(a, b proof.Range) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	out := all[:0]
	for _, r := range all {
		if n := len(out); n == 0 || out[n-1].Place != r.Place || out[n-1].End <= r.Start {
			out = append(out, r)
		}
	}
	return out
}

func (c *Code) write(b *bufio.Writer) {
	fmt.Fprintf(b, "    code: %d of %s tracked (%s), %d of %s (%s)", c.TrackedFunctions, count(uint64(c.Functions), "function"),
		floor(uint64(c.TrackedFunctions), uint64(c.Functions)), c.TrackedInsns, count(uint64(c.Insns), "instruction"),
		floor(uint64(c.TrackedInsns), uint64(c.Insns)))
	var why []string
	for _, u := range c.Untracked {
		why = append(why, fmt.Sprintf("%d %s", u.Insns, u.Reason))
	}
	if len(why) > 0 {
		fmt.Fprintf(b, ": %s", strings.Join(why, ", "))
	}
	fmt.Fprintln(b)
}
