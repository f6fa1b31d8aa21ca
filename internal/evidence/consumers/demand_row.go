package consumers

import (
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Demands on FREs.
func rowTerms() map[Demand]term {
	return map[Demand]term{
		"rows-in-function": {func(a Arg) string { return "no FRE" + withWords(a) + " starts after the end of its function" }, onBounds(
			func(f model.FDE, r model.FRE) bool { return r.Start() > f.Size() })},
		"rows-before-end": {func(a Arg) string {
			return "every FRE" + withWords(a) + " starts before the end of its function, or at 0 in a function of size 0"
		}, onBounds(func(f model.FDE, r model.FRE) bool { return r.Start() >= max(f.Size(), 1) })},
		"rows-ascend": {plain("every FRE starts after the previous one"), findDisorder},
		"word-size": {plain("the word size of every FRE with words is 0, 1 or 2"), func(x *subject, _ Arg) *hit {
			if f := x.fault(reader.WordSizeUndefined); f != nil {
				return faultHit(f, "an FRE has word size %d", f.Got)
			}
			return nil
		}},
		"bare-word-size": {plain("the word size of every FRE without words is 0, 1 or 2"), onRows(
			func(r model.FRE, _ Arg) bool { return r.NumWords() == 0 && r.WordSize().Width() == 0 },
			func(r model.FRE, _ Arg) *hit { return inRow(r, r.InfoSpan(), "an FRE without words has word size 3") })},
		"some-words": {func(a Arg) string { return "every FRE has data words" + onABIs(a) }, onRows(
			func(r model.FRE, a Arg) bool { return r.NumWords() == 0 && ofABI(r, a) },
			func(r model.FRE, _ Arg) *hit { return inRow(r, r.InfoSpan(), "an FRE has no data words") })},
		"word-count": {
			func(a Arg) string { return fmt.Sprintf("every FRE has at most %d data words", a.Max) },
			onRows(
				func(r model.FRE, a Arg) bool { return int64(r.NumWords()) > a.Max },
				func(r model.FRE, a Arg) *hit {
					return inRow(r, r.InfoSpan(), "an FRE has %d data words, expected at most %d", r.NumWords(), a.Max)
				}),
		},
		"word-bytes": {
			func(a Arg) string { return fmt.Sprintf("the data words of every FRE have at most %d bytes", a.Max) },
			onRows(
				func(r model.FRE, a Arg) bool { return r.WordsSpan().Len > a.Max },
				func(r model.FRE, a Arg) *hit {
					return inRow(r, r.WordsSpan(), "an FRE has %d bytes of data words, expected at most %d", r.WordsSpan().Len, a.Max)
				}),
		},
		"words-used": {plain("every FRE of the default type has only words for the CFA, and for RA and FP unless the header fixes them"), onRows(
			func(r model.FRE, _ Arg) bool {
				return r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT && r.NumWords() > wordsUsed(section(r))
			},
			func(r model.FRE, _ Arg) *hit {
				n := wordsUsed(section(r))
				return inRow(r, r.WordSpan(n), "an FRE has %d data words, expected at most %d", r.NumWords(), n)
			})},
		"plain-ra": {plain("no FRE has a mangled RA"), onRows(
			func(r model.FRE, _ Arg) bool { return r.MangledRA() },
			func(r model.FRE, _ Arg) *hit { return inRow(r, r.InfoSpan(), "an FRE has a signed RA") })},
		"cfa-aligned": {plain("the CFA of every FRE is a register and a multiple of 8, or in memory"), onRows(
			func(r model.FRE, _ Arg) bool {
				cfa := r.Row().CFA
				return cfa.Kind == model.InRegister && !cfa.Deref && cfa.Offset%8 != 0
			},
			inCFA)},
		"near-cfa": {plain("the offset of the CFA of every FRE fits 32 bits with a sign"), onRows(
			func(r model.FRE, _ Arg) bool {
				off := r.Row().CFA.Offset
				return off != int64(int32(off))
			},
			inCFA)},
		"cfa-above-sp": {plain("the CFA of no FRE is below SP"), onRows(
			func(r model.FRE, _ Arg) bool {
				cfa := r.Row().CFA
				return cfa.Kind == model.InRegister && !cfa.Deref && cfa.Reg == section(r).ABI().SP && cfa.Offset < 0
			},
			func(r model.FRE, _ Arg) *hit {
				return inRow(r, r.Span(), "the CFA is SP%+d", r.Row().CFA.Offset)
			})},
		"no-zero-slots": {plain("RA and FP of no FRE of the default type are saved at the CFA"), onRows(
			func(r model.FRE, _ Arg) bool { return zeroSlot(r) > 0 },
			func(r model.FRE, _ Arg) *hit {
				return inRow(r, r.WordSpan(zeroSlot(r)), "the word for RA or FP is 0")
			})},
	}
}

// zeroSlot returns the index of a word for RA or FP that is 0 in an FRE of the default
// type, 0 for none.
func zeroSlot(r model.FRE) int {
	if r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT {
		for k := 1; k < min(r.NumWords(), wordsUsed(section(r))); k++ {
			if r.Word(k) == 0 {
				return k
			}
		}
	}
	return 0
}

// onABIs returns the ABIs to which a demand is limited, "" for all.
func onABIs(a Arg) string {
	if len(a.ABIs) == 0 {
		return ""
	}
	return " (" + abisText(a.ABIs) + ")"
}

func ofABI(r model.FRE, a Arg) bool {
	return len(a.ABIs) == 0 || slices.Contains(a.ABIs, section(r).Header().ABI)
}

func section(r model.FRE) *model.Section { return r.FDE().Section() }

// wordsUsed returns how many words a reader uses that follows the header.
func wordsUsed(s *model.Section) int {
	n := 1
	if s.Header().FixedRAOffset == 0 {
		n++
	}
	if s.Header().FixedFPOffset == 0 {
		n++
	}
	return n
}

// inRow returns a hit at bytes of an FRE.
func inRow(r model.FRE, sp model.Span, format string, args ...any) *hit {
	h := at(sp, format, args...)
	h.fde, h.fre = r.FDEIndex(), r.Index()
	return h
}

// inCFA returns a hit at the offset of an FRE's CFA.
func inCFA(r model.FRE, _ Arg) *hit {
	word := 0
	if r.FDEType() == model.SFRAME_FDE_TYPE_FLEX {
		word = 1 // after the control word
	}
	return inRow(r, r.WordSpan(word), "the offset of the CFA is %d", r.Row().CFA.Offset)
}

// row reports the first bad FRE.
func (x *subject) row(bad func(model.FRE) bool, report func(model.FRE) *hit) *hit {
	if x.s == nil {
		return nil
	}
	if r, ok := x.f.Survey().FindRow(bad); ok {
		return report(r)
	}
	return nil
}

// onRows returns a demand on the contents of FREs.
func onRows(bad func(model.FRE, Arg) bool, report func(model.FRE, Arg) *hit) func(*subject, Arg) *hit {
	return func(x *subject, a Arg) *hit {
		return x.row(func(r model.FRE) bool { return bad(r, a) }, func(r model.FRE) *hit { return report(r, a) })
	}
}

// withWords returns the limit of a demand to some FREs, "" for all: a reader
// that rejects an FRE for its words does not check its start.
func withWords(a Arg) string {
	if a.Max == 0 {
		return ""
	}
	return fmt.Sprintf(" with at most %d words of a defined size", a.Max)
}

// onBounds returns a demand on the starts of FREs in their functions.
func onBounds(bad func(model.FDE, model.FRE) bool) func(*subject, Arg) *hit {
	return func(x *subject, a Arg) *hit {
		if x.s == nil || !x.f.Survey().Has(model.RowBeyond) {
			return nil
		}
		for f := range x.s.FDEs() {
			for r := range f.FREs() {
				if bad(f, r) && (a.Max == 0 || int64(r.NumWords()) <= a.Max && r.WordSize().Width() > 0) {
					return inRow(r, r.StartSpan(), "an FRE starts at %d, but the function ends at %d", r.Start(), f.Size())
				}
			}
		}
		return nil
	}
}

func findDisorder(x *subject, _ Arg) *hit {
	if x.s == nil || !x.f.Survey().Has(model.RowsUnordered) {
		return nil
	}
	for f := range x.s.FDEs() {
		prev := int64(-1)
		for r := range f.FREs() {
			if int64(r.Start()) <= prev {
				return inRow(r, r.StartSpan(), "an FRE starts at %d, the previous one at %d", r.Start(), prev)
			}
			prev = int64(r.Start())
		}
	}
	return nil
}
