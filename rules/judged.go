package rules

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/cfi"
	"github.com/sframe-lint/sframe-lint/internal/evidence/proof"
	"github.com/sframe-lint/sframe-lint/model"
)

// Judged counts the FREs of a section by the evidence that decides whether they are right.
type Judged struct {
	Section string `json:"section,omitempty"`
	Code    int    `json:"code"`    // decided by machine code: right at all instructions, or wrong at one
	CFI     int    `json:"cfi"`     // decided only by call frame information that has all rules of the FRE
	Neither int    `json:"neither"` // decided by nothing
	// Reasons are the three most common reasons why FREs are undecided, the most common first.
	Reasons []Undecided `json:"reasons,omitempty"`
}

// Undecided counts the FREs that are undecided for one reason.
type Undecided struct {
	Reason string `json:"reason"`
	FREs   int    `json:"fres"`
	At     string `json:"at"` // start of the first one
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

// open counts the FREs of a tracked function that are open.
func (j *judging) open(i int, rows []proof.Row, why []proof.Reason) {
	f := j.all.at(i)
	if f.NumFREs() == 0 {
		return
	}
	var stated []proof.Row // by the CFI, whose rows are evaluated once
	if j.frames != nil {
		stated = j.all.rowsOf(j.frames)(i, nil)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for r, why := range why {
		if why == proof.Known {
			continue
		}
		start := rows[r].Start
		at := sort.Search(len(stated), func(k int) bool { return stated[k].End > start })
		if at < len(stated) && stated[at].Start <= start && stated[at].Row.Valid() {
			j.cfi++
			continue
		}
		j.add(&f, start, why)
	}
}

// add counts an FRE that nothing decides.
func (j *judging) add(f *model.FDE, start uint64, why proof.Reason) {
	x := &j.reasons[why]
	if x.fres++; x.fres == 1 || f.Index() < x.fde || f.Index() == x.fde && start < x.start {
		x.fde, x.start = f.Index(), start
	}
}

// untracked counts the FREs of functions that are not tracked: all, or stubs and those that share their code. What the
// CFI states of shared code is not for one of them.
func (j *judging) untracked(followed bool) {
	s := j.all.s
	tracked := make([]bool, s.NumFDEs())
	for i, n := range j.all.numbers {
		f := s.FDE(int(n))
		if tracked[n] = followed; !followed || !f.Mask() {
			continue
		}
		var rows []proof.Row
		for r := range f.FREs() {
			rows = append(rows, proof.Row{Start: f.Start() + uint64(r.Start())})
		}
		j.open(i, rows, slices.Repeat([]proof.Reason{proof.Blocks}, len(rows)))
	}
	why := proof.Shared
	if !followed {
		why = proof.NoCode
	}
	for f := range s.FDEs() {
		if !tracked[f.Index()] {
			for r := range f.FREs() {
				j.add(&f, f.Start()+uint64(r.Start()), why)
			}
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
