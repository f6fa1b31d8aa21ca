package ehframe

import (
	"math/bits"
	"runtime"
	"sync"

	"github.com/sframe-lint/sframe-lint/model"
)

// matcher finds functions whose FREs and CFI agree and are plain, as nearly all are. It
// takes a fraction of the time that a comparison takes, and leaves all other functions to
// that.
type matcher struct {
	s      *model.Section
	f      *Frames
	big    bool // byte order of the section
	pauth  bool // RA may be signed
	attr   int  // bytes of an FDE's attribute
	signal bool // the version marks signal frames
	steps  *steps
	n      Comparison
}

// parallelMatches is the number of FDEs from which it pays to match in parts.
const parallelMatches = 1 << 12

// match finds functions that agree. It returns by FDE whether it is one of these, and how
// many functions and rows they are. The intervals of the section are as, or nil where they
// are its FDEs in their order.
func match(s *model.Section, f *Frames, as, bs []interval) ([]bool, Comparison) {
	agree := make([]bool, s.NumFDEs())
	n := len(agree)
	if as != nil {
		n = len(as)
	}
	if len(bs) == 0 || n == 0 {
		return agree, Comparison{}
	}
	if n < parallelMatches {
		return agree, matchPart(s, f, as, bs, 0, n, agree)
	}
	workers := min(runtime.GOMAXPROCS(0), 2*n/parallelMatches)
	parts := make([]Comparison, workers)
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() { parts[i] = matchPart(s, f, as, bs, n*i/workers, n*(i+1)/workers, agree) })
	}
	wg.Wait()
	for _, n := range parts[1:] {
		parts[0].Functions += n.Functions
		parts[0].Rows += n.Rows
	}
	return agree, parts[0]
}

// matchPart does the same for the intervals or FDEs from lo to hi.
func matchPart(s *model.Section, f *Frames, as, bs []interval, lo, hi int, agree []bool) Comparison {
	v := s.Version().Info()
	m := matcher{s: s, f: f, big: s.BigEndian(), pauth: s.ABI().Pauth, attr: v.AttrSize, signal: v.Signal, steps: usedSteps.Get().(*steps)}
	defer m.steps.release()
	m.steps.left = mostLearned
	j := -1 // no interval before it starts at or after the function
	for i := lo; i < hi; i++ {
		if i%stepPairs == stepPairs-1 && f.budget.Step(stepPairs) != nil {
			break
		}
		at := i
		if as != nil {
			at = int(as[i].id)
		}
		fde := s.FDE(at)
		place, start, end := uint32(fde.Place()), fde.Start(), fde.End()
		if as != nil {
			end = as[i].end
		}
		if !fde.Resolved() {
			continue
		}
		if j < 0 {
			j = max(after(bs, place, start)-1, 0)
		}
		for j < len(bs) && (bs[j].place < place || bs[j].place == place && bs[j].start < start) {
			j++
		}
		if j == len(bs) {
			break
		}
		if b := &bs[j]; b.start == start && b.end == end && b.place == place {
			agree[at] = m.function(&fde, b)
		}
	}
	return m.n
}

// function reports whether the FREs of a function agree with its CFI.
func (m *matcher) function(f *model.FDE, b *interval) bool {
	s := m.f.Sections[b.section].Section
	last := m.steps.cie
	if m.steps.s != s {
		last = nil
	}
	k, end := s.program(b, last)
	if k != last {
		m.steps.use(s, k, m.s)
	}
	if !m.steps.ok || f.NumFREs() == 0 || !f.HasAttr() || f.PCType() != model.SFRAME_FDE_PCTYPE_INC || f.Type() > model.SFRAME_FDE_TYPE_FLEX ||
		m.signal && f.Signal() != k.Signal || m.pauth && (f.PauthKey() == model.SFRAME_AARCH64_PAUTH_KEY_B) != k.KeyB {
		return false
	}
	w := walk{
		p: int(b.program), end: end, state: m.steps.begin(f.Type()),
		width: f.FREType().Width(), next: int(f.StartFREOff()) + m.attr, left: f.NumFREs(), size: b.end - b.start,
	}
	if w.freEnd = w.start(m); w.freEnd != 0 {
		return false
	}
	for w.pos < w.size {
		if w.pos == w.freEnd {
			w.repeat(m)
		}
		if w.freEnd < w.pos || w.pos < w.size && !w.row(m, f) {
			return false
		}
	}
	m.n.Functions++
	m.n.Rows += w.rows
	return true
}

// walk is how far the comparison of a function has come.
type walk struct {
	p, end    int    // next instruction and where they end
	state     int32  // after those before p
	width     int    // of the start of an FRE, bytes
	next, at  int    // the next FRE, and the one that holds at pos
	left      int    // FREs from next on
	pos, size uint64 // PC and size of the function
	freEnd    uint64 // where the next FRE begins
	rows      int    // pairs of an FRE and a row
}

// start returns where the next FRE begins.
func (w *walk) start(m *matcher) uint64 {
	if w.left == 0 {
		return w.size
	}
	v := m.s.Window(w.next)
	if m.big {
		return bits.ReverseBytes64(v) >> (64 - 8*w.width)
	}
	return v & (1<<(8*w.width) - 1)
}

// repeat compares rows as long as each of them is a step that has been seen, and begins
// with an FRE that has been seen there.
//
// The loop takes much of the time of a large file. It has few variables, so that they fit
// the registers.
func (w *walk) repeat(m *matcher) {
	if w.width > 2 || w.width == 2 && m.big {
		return
	}
	program, heads := m.steps.s.in.Data, &m.steps.heads
	p, next, pos, left, state := w.p, w.next, w.pos, w.left, w.state
	startBits := 8 * w.width & 31
	startMask := uint64(1)<<startBits - 1
	for left > 0 && pos < w.size {
		in := window(program, p, w.end)
		t, rest := heads[slotOf(state, in)], w.end-p
		if t == nil || t.from != state || in&t.mask != t.bytes || int(t.len) > rest {
			break
		}
		by := uint64(0)
		if t.ends {
			if by = w.size; rest > 8 {
				break
			}
		} else if t.advance == 0 {
			p, state = p+int(t.len), t.to
			continue
		} else if by = t.by(in) * uint64(m.steps.of.code); by == 0 {
			break
		}
		fre := m.s.Window(next)
		if fre&startMask != pos || fre>>(startBits&31)&t.freMask != t.fre || t.freLen == 0 {
			break
		}
		p, state = p+int(t.len), t.to
		w.at = next
		next += w.width + int(t.freLen)
		pos += by
		left--
		w.rows++
	}
	w.p, w.next, w.pos, w.left, w.state = p, next, min(pos, w.size), left, state
	w.freEnd = w.start(m)
}

// row compares the next row of the CFI with the FREs that hold in it. It reports whether
// they agree and are plain.
func (w *walk) row(m *matcher, f *model.FDE) bool {
	by, p, t := m.steps.next(w.state, w.p, w.end)
	if by == 0 {
		return false
	}
	w.p, w.state = p, t.to
	x, rowEnd := &m.steps.states[t.to], w.pos+min(by, w.size-w.pos)
	for begin := w.pos; w.pos < rowEnd; w.pos = min(rowEnd, w.freEnd) {
		begins := w.pos == w.freEnd
		if begins {
			w.at = w.next
		}
		fre := m.s.Window(w.at + w.width)
		words := wordBytes(uint8(fre))
		if words > 7 {
			return false
		}
		if begins {
			w.next += w.width + 1 + words
			w.left--
			if w.freEnd = w.start(m); w.freEnd <= w.pos {
				return false
			}
		}
		fre &= ^uint64(0) >> ((56 - 8*words) & 63)
		if (!x.known || fre != x.fre) && !m.steps.agree(x, fre, f.FREAt(f.NumFREs()-w.left-1, int64(w.at))) {
			return false
		}
		if w.rows++; begins && w.pos == begin && w.width+words < 8 {
			t.remember(fre, words)
		}
	}
	return true
}

// wordBytes returns the bytes of data words that an info byte announces.
func wordBytes(info uint8) int {
	return int(info>>model.FREInfoCountShift&model.MaxWords) << (info >> model.FREInfoSizeShift & 3)
}
