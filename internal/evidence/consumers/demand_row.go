package consumers

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Demands on FREs.
func rowTerms() map[Demand]term {
	return map[Demand]term{
		"rows-in-function": {"no FRE{ with at most MAX words of a defined size} starts after the end of its function", onBounds(
			func(f model.FDE, r model.FRE) bool { return r.Start() > f.Size() })},
		"rows-before-end": {"every FRE{ with at most MAX words of a defined size} starts before the end of its function, or at 0 in a function of size 0", onBounds(
			func(f model.FDE, r model.FRE) bool { return r.Start() >= max(f.Size(), 1) })},
		"rows-ascend": {"every FRE starts after the previous one", onTrait(model.RowsUnordered, findDisorder)},
		"word-size":   {"the word size of every FRE with words is 0, 1 or 2", onFault("an FRE has word size %[2]d", reader.WordSizeUndefined)},
		"bare-word-size": {"the word size of every FRE without words is 0, 1 or 2", onRows("an FRE without words has word size 3", model.FRE.InfoSpan,
			func(r model.FRE, _ Arg) bool { return r.NumWords() == 0 && r.WordSize().Width() == 0 })},
		"some-words": {"every FRE has data words{ (ABIS)}", onRows("an FRE has no data words", model.FRE.InfoSpan, func(r model.FRE, a Arg) bool {
			return r.NumWords() == 0 && (len(a.ABIs) == 0 || slices.Contains(a.ABIs, section(r).Header().ABI))
		})},
		"word-count": {"every FRE has at most MAX data words", onRows("an FRE has %d data words, expected at most MAX", model.FRE.InfoSpan,
			func(r model.FRE, a Arg) bool { return int64(r.NumWords()) > a.Max }, numWords)},
		"word-bytes": {"the data words of every FRE have at most MAX bytes", onRows("an FRE has %d bytes of data words, expected at most MAX", model.FRE.WordsSpan,
			func(r model.FRE, a Arg) bool { return r.WordsSpan().Len > a.Max }, func(r model.FRE) any { return r.WordsSpan().Len })},
		"words-used": {"every FRE of the default type has only words for the CFA, and for RA and FP unless the header fixes them", onRows(
			"an FRE has %d data words, expected at most %d", func(r model.FRE) model.Span { return r.WordSpan(wordsUsed(section(r))) },
			func(r model.FRE, _ Arg) bool {
				return r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT && r.NumWords() > wordsUsed(section(r))
			}, numWords, func(r model.FRE) any { return wordsUsed(section(r)) })},
		"plain-ra": {"no FRE has a mangled RA", onRows("an FRE has a signed RA", model.FRE.InfoSpan, func(r model.FRE, _ Arg) bool { return r.MangledRA() })},
		"cfa-aligned": {"the CFA of every FRE is a register and a multiple of 8, or in memory", onCFA(cfaSpan, "the offset of the CFA is %d",
			func(_ model.FRE, cfa model.Recovery) bool { return isSum(cfa) && cfa.Offset%8 != 0 })},
		"near-cfa": {"the offset of the CFA of every FRE fits 32 bits with a sign", onCFA(cfaSpan, "the offset of the CFA is %d",
			func(_ model.FRE, cfa model.Recovery) bool { return cfa.Offset != int64(int32(cfa.Offset)) })},
		"cfa-above-sp": {"the CFA of no FRE is below SP", onCFA(model.FRE.Span, "the CFA is SP%+d",
			func(r model.FRE, cfa model.Recovery) bool {
				return isSum(cfa) && cfa.Reg == section(r).ABI().SP && cfa.Offset < 0
			})},
		"no-zero-slots": {"RA and FP of no FRE of the default type are saved at the CFA", onRows("the word for RA or FP is 0",
			func(r model.FRE) model.Span { return r.WordSpan(zeroSlot(r)) }, func(r model.FRE, _ Arg) bool { return zeroSlot(r) > 0 })},
	}
}

func numWords(r model.FRE) any { return r.NumWords() }

// isSum reports whether the CFA is a register plus an offset.
func isSum(cfa model.Recovery) bool { return cfa.Kind == model.InRegister && !cfa.Deref }

// onCFA returns a demand on the CFA of FREs. What uses its offset.
func onCFA(span func(model.FRE) model.Span, what string, bad func(model.FRE, model.Recovery) bool) finder {
	return onRows(what, span, func(r model.FRE, _ Arg) bool { return bad(r, r.Row().CFA) }, func(r model.FRE) any { return r.Row().CFA.Offset })
}

// cfaSpan returns the bytes of the offset of an FRE's CFA.
func cfaSpan(r model.FRE) model.Span {
	if r.Flex() {
		return r.WordSpan(1) // after the control word
	}
	return r.WordSpan(0)
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

// inRow returns a verdict at bytes of an FRE.
func inRow(r model.FRE, sp model.Span, format string, args ...any) *Verdict {
	h := at(sp, format, args...)
	h.FDE, h.FRE = r.FDEIndex(), r.Index()
	return h
}

// row reports the first bad FRE.
func (x *subject) row(bad func(model.FRE) bool, report func(model.FRE) *Verdict) *Verdict {
	if x.s == nil {
		return nil
	}
	if r, ok := x.f.Survey().FindRow(bad); ok {
		return report(r)
	}
	return nil
}

// onRows returns a demand on the contents of FREs: the message on a bad one, which uses the values, and its bytes.
func onRows(what string, span func(model.FRE) model.Span, bad func(model.FRE, Arg) bool, values ...func(model.FRE) any) finder {
	return func(x *subject, a Arg) *Verdict {
		return x.row(func(r model.FRE) bool { return bad(r, a) }, func(r model.FRE) *Verdict {
			var args []any
			for _, value := range values {
				args = append(args, value(r))
			}
			return inRow(r, span(r), a.fill(what), args...)
		})
	}
}

// onBounds returns a demand on the starts of FREs in their functions. With a limit it is one on FREs of at most so many words of a
// defined size: a reader that rejects an FRE for its words does not check its start.
func onBounds(bad func(model.FDE, model.FRE) bool) finder {
	return onTrait(model.RowBeyond, func(x *subject, a Arg) *Verdict {
		for f := range x.s.FDEs() {
			for r := range f.FREs() {
				if bad(f, r) && (a.Max == 0 || int64(r.NumWords()) <= a.Max && r.WordSize().Width() > 0) {
					return inRow(r, r.StartSpan(), "an FRE starts at %d, but the function ends at %d", r.Start(), f.Size())
				}
			}
		}
		return nil
	})
}

func findDisorder(x *subject, _ Arg) *Verdict {
	for f := range x.s.FDEs() {
		prev := int64(-1)
		for r := range f.FREs() {
			if int64(r.Start()) <= prev {
				return inRow(r, r.StartSpan(), "an FRE starts at %d, but the previous FRE at %d", r.Start(), prev)
			}
			prev = int64(r.Start())
		}
	}
	return nil
}
