package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
)

// Judged counts the FREs of a section by what decides whether they are right.
type Judged struct {
	Section string `json:"section,omitempty"`
	Code    int    `json:"code"`    // the machine code: right at each instruction, or wrong at one
	CFI     int    `json:"cfi"`     // only the call frame information, which states all that the FRE has
	Neither int    `json:"neither"` // nothing
	// Reasons are the three commonest reasons why nothing decides an FRE, the commonest first.
	Reasons []Undecided `json:"reasons,omitempty"`
}

// Undecided counts FREs that nothing decides, for one reason.
type Undecided struct {
	Reason string `json:"reason"`
	FREs   int    `json:"fres"`
	At     string `json:"at"` // where the first one starts
}

// mostReasons is the number of reasons that a Judged has.
const mostReasons = 3

// String returns "of 12 FREs the code decides 9, only the CFI 1, nothing 2: 2 lost (first at f+0x40)".
func (j *Judged) String() string {
	var all []string
	for _, u := range j.Reasons {
		all = append(all, fmt.Sprintf("%d %s (first at %s)", u.FREs, u.Reason, escape.Message(u.At)))
	}
	text := fmt.Sprintf("of %s the code decides %d, only the CFI %d, nothing %d", Count(j.Code+j.CFI+j.Neither, "FRE"), j.Code, j.CFI, j.Neither)
	if all != nil {
		text += ": " + strings.Join(all, ", ")
	}
	return text
}

// judging counts FREs that the code does not decide.
type judging struct {
	all     *fdes
	frames  *cfi.Frames
	mu      sync.Mutex
	cfi     int
	reasons [proof.NumReasons]struct {
		fres, fde int
		start     uint64
	}
}

// open counts an FRE of a tracked function.
func (j *judging) open(i int, start uint64, why proof.Reason) {
	if f := j.all.at(i); f.NumFREs() > 0 {
		j.add(&f, start, why)
	}
}

func (j *judging) add(f *model.FDE, start uint64, why proof.Reason) {
	stated := j.states(uint32(f.Place()), start)
	j.mu.Lock()
	defer j.mu.Unlock()
	if stated {
		j.cfi++
		return
	}
	x := &j.reasons[why]
	if x.fres++; x.fres == 1 || f.Index() < x.fde || f.Index() == x.fde && start < x.start {
		x.fde, x.start = f.Index(), start
	}
}

// states reports whether call frame information has rules for all that an FRE has, where it starts.
func (j *judging) states(place uint32, pc uint64) bool {
	f, row, ok := j.frames.RowAt(place, pc)
	if !ok {
		return false
	}
	r := f.Recover(&row, pc)
	return r.CFAReason == cfi.Comparable && r.RAReason == cfi.Comparable && r.FPReason == cfi.Comparable && r.PC == 0
}

// untracked counts the FREs of functions that are not tracked: all, or those that share their code.
func (j *judging) untracked(followed bool) {
	s := j.all.s
	tracked := make([]bool, s.NumFDEs())
	for _, i := range j.all.numbers {
		tracked[i] = followed
	}
	for i := range tracked {
		f, why := s.FDE(i), proof.Shared
		switch {
		case !followed:
			why = proof.NoCode
		case tracked[i] && f.PCType() == model.SFRAME_FDE_PCTYPE_INC:
			continue
		case tracked[i]:
			why = proof.Blocks
		}
		for r := range f.FREs() {
			j.add(&f, f.Start()+uint64(r.Start()), why)
		}
	}
}

// sum returns the counts.
func (j *judging) sum(section string, at func(place uint32, pc uint64) string) *Judged {
	out := &Judged{Section: section, CFI: j.cfi}
	for why, x := range j.reasons {
		if x.fres > 0 {
			out.Neither += x.fres
			f := j.all.s.FDE(x.fde)
			out.Reasons = append(out.Reasons, Undecided{proof.Reason(why).String(), x.fres, at(uint32(f.Place()), x.start)})
		}
	}
	slices.SortStableFunc(out.Reasons, func(a, b Undecided) int { return cmp.Compare(b.FREs, a.FREs) })
	out.Reasons = out.Reasons[:min(len(out.Reasons), mostReasons)]
	out.Code = max(j.all.s.NumFREs()-out.CFI-out.Neither, 0)
	return out
}
