package rules

import (
	"math/bits"

	"github.com/sframe-lint/sframe-lint/model"
)

// stopFREs is the number of FREs that a walk visits before it looks again whether to give up.
const stopFREs = 4096

// maxMemo bounds the contents whose verdicts are remembered. Most sections have
// fewer; in others, a content that is met again was mostly met lately.
const maxMemo = 1 << 14

// memo remembers by their keys, which are never 0, which contents are bad.
type memo []known

type known struct {
	key uint64
	bad bool
}

// newMemo returns a memo for a section of n contents or fewer.
func newMemo(n int) memo {
	size := 16
	for size < 2*n && size < maxMemo {
		size *= 2
	}
	return make(memo, size)
}

// at returns the place of a key, and whether the verdict on it is there.
func (m memo) at(key uint64) (at *known, ok bool) {
	at = &m[int(key*0x9e3779b97f4a7c15>>32)&(len(m)-1)]
	ok = at.key == key
	at.key = key
	return at, ok
}

// FDEs calls report for each FDE that satisfies bad, or for every FDE if bad is nil. It usually calls bad for only one
// FDE of each kind, so bad may use only info, info2 and rep_size; report tests other fields. Unless bad is nil, FDEs
// skips FDEs whose attribute (these three fields) is outside the section.
func (c *Context) FDEs(bad func(model.FDE) bool, report func(model.FDE)) {
	if bad == nil {
		for f := range c.Section.FDEs() {
			report(f)
		}
		return
	}
	if !c.SFrame.Survey().AnyKind(bad) {
		return
	}
	memo := newMemo(c.Section.NumFDEs())
	for f := range c.Section.FDEs() {
		if !f.HasAttr() {
			continue
		}
		at, ok := memo.at(model.KindKey(f.Info(), f.Info2(), f.RepSize()))
		if !ok {
			at.bad = bad(f)
		}
		if at.bad {
			report(f)
		}
	}
}

// Rows calls report for each FRE that satisfies bad. It mostly calls bad once for each distinct FRE, so bad may use
// only PC type, FDE type, info byte and data words. For other tests, use FDEs and [model.FDE.FREs].
func (c *Context) Rows(bad func(model.FRE) bool, report func(model.FRE)) {
	if !c.SFrame.Survey().Any(model.RowList, bad) {
		return
	}
	memo := newMemo(c.Section.NumFREs())
	flex, steps := c.Section.Version().Info().Flex, 0
	for f := range c.Section.FDEs() {
		class := model.RowClass(f.Info(), f.Info2(), flex)
		w := walkFREs(c.Section, &f)
		for j := range f.NumFREs() {
			if steps++; steps%stopFREs == 0 && c.Object.Step(stopFREs) != nil {
				return // the result is not used
			}
			_, info := w.next()
			if w.size > model.KeyBytes {
				if r := w.fre(&f, j); bad(r) {
					report(r)
				}
				continue
			}
			at, ok := memo.at(model.RowKey(w.content(), uint8(w.size), info, class))
			if !ok {
				at.bad = bad(w.fre(&f, j))
			}
			if at.bad {
				report(w.fre(&f, j))
			}
		}
	}
}

// freWalk steps over the FREs of an FDE, and makes a [model.FRE] only of those that are asked for.
type freWalk struct {
	s         *model.Section
	at, this  int // offset of the next FRE, and of the one before
	words     int // offset of its data words
	size      int // bytes of them
	startBits int
	big       bool
}

func walkFREs(s *model.Section, f *model.FDE) freWalk {
	return freWalk{s: s, at: int(f.StartFREOff()) + s.Version().Info().AttrSize, startBits: 8 * f.FREType().Width(), big: s.BigEndian()}
}

// next steps to the next FRE. It returns its start and its info byte.
func (w *freWalk) next() (start uint32, info uint8) {
	w.this = w.at
	v := w.s.Window(w.at)
	if start = uint32(v & (1<<(w.startBits&63) - 1)); w.big {
		start = uint32(bits.ReverseBytes64(v) >> ((64 - w.startBits) & 63))
	}
	info = uint8(v >> (w.startBits & 63))
	w.words = w.at + w.startBits>>3 + 1
	w.size = model.WordBytes(info)
	w.at = w.words + w.size
	return start, info
}

// content returns the 8 bytes that begin with the data words, in little-endian order.
func (w *freWalk) content() uint64 { return w.s.Window(w.words) }

// fre returns the j-th FRE, which the walk has stepped to.
func (w *freWalk) fre(f *model.FDE, j int) model.FRE { return f.FREAt(j, int64(w.this)) }
