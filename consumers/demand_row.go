package consumers

import (
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/survey"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Demands on rows.
const (
	RowsInFunction Demand = "rows-in-function"
	RowsBeforeEnd  Demand = "rows-before-end"
	RowsAscend     Demand = "rows-ascend"
	WordSize       Demand = "word-size"
	BareWordSize   Demand = "bare-word-size"
	SomeWords      Demand = "some-words"
	WordCount      Demand = "word-count"
	WordBytes      Demand = "word-bytes"
	WordsUsed      Demand = "words-used"
	PlainRA        Demand = "plain-ra"
	OwnInfoBits    Demand = "info-bits"
)

var rowTerms = map[Demand]term{
	RowsInFunction: {func(a Arg) string { return "no row" + withWords(a) + " starts behind the end of its function" }, onBounds(
		func(f model.FDE, r model.FRE) bool { return r.Start() > f.Size() })},
	RowsBeforeEnd: {func(a Arg) string {
		return "every row" + withWords(a) + " starts before the end of its function; at 0 in a function of size 0"
	}, onBounds(func(f model.FDE, r model.FRE) bool { return r.Start() >= max(f.Size(), 1) })},
	RowsAscend: {plain("every row starts behind the one in front of it"), findDisorder},
	WordSize: {plain("the word size of a row with words is 0, 1 or 2"), func(x *subject, _ Arg) *hit {
		if f := x.fault(reader.WordSizeUndefined); f != nil {
			return faultHit(f, "a row has word size %d", f.Got)
		}
		return nil
	}},
	BareWordSize: {plain("the word size of a row without words is 0, 1 or 2"), onRows(
		func(r model.FRE, _ Arg) bool { return r.NumWords() == 0 && r.WordSize().Width() == 0 },
		func(r model.FRE, _ Arg) *hit { return inRow(r, r.InfoSpan(), "a row without words has word size 3") })},
	SomeWords: {func(a Arg) string { return "every row has data words" + onABIs(a) }, onRows(
		func(r model.FRE, a Arg) bool { return r.NumWords() == 0 && ofABI(r, a) },
		func(r model.FRE, _ Arg) *hit { return inRow(r, r.InfoSpan(), "a row has no data words") })},
	WordCount: {
		func(a Arg) string { return fmt.Sprintf("a row has %d data words at most", a.Max) },
		onRows(
			func(r model.FRE, a Arg) bool { return int64(r.NumWords()) > a.Max },
			func(r model.FRE, a Arg) *hit {
				return inRow(r, r.InfoSpan(), "a row has %d data words, wanted %d at most", r.NumWords(), a.Max)
			}),
	},
	WordBytes: {
		func(a Arg) string { return fmt.Sprintf("a row's data words take %d bytes at most", a.Max) },
		onRows(
			func(r model.FRE, a Arg) bool { return r.WordsSpan().Len > a.Max },
			func(r model.FRE, a Arg) *hit {
				return inRow(r, r.WordsSpan(), "a row has %d bytes of data words, wanted %d at most", r.WordsSpan().Len, a.Max)
			}),
	},
	WordsUsed: {plain("a default-type row has no words but those for CFA, RA and FP that the header leaves to it"), onRows(
		func(r model.FRE, _ Arg) bool {
			return r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT && r.NumWords() > wordsUsed(section(r))
		},
		func(r model.FRE, _ Arg) *hit {
			n := wordsUsed(section(r))
			return inRow(r, r.WordSpan(n), "a row has %d data words, wanted %d at most", r.NumWords(), n)
		})},
	PlainRA: {plain("no row has a mangled RA"), onRows(
		func(r model.FRE, _ Arg) bool { return r.MangledRA() },
		func(r model.FRE, _ Arg) *hit { return inRow(r, r.InfoSpan(), "a row says that the RA is signed") })},
	OwnInfoBits: {plain("info bytes mean what the consumer takes them for"), onRows(
		func(model.FRE, Arg) bool { return true },
		func(r model.FRE, _ Arg) *hit { return inRow(r, r.InfoSpan(), "a row's info byte is 0x%02x", r.Info()) })},
}

// onABIs says which ABIs a demand is limited to, if it is.
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

// wordsUsed is how many words a reader that goes by the header makes use of.
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

// inRow is a hit at bytes of a row.
func inRow(r model.FRE, sp model.Span, format string, args ...any) *hit {
	h := at(sp, format, args...)
	h.fde, h.fre = r.FDEIndex(), r.Index()
	return h
}

// row reports the first row with bad content.
func (x *subject) row(bad func(model.FRE) bool, report func(model.FRE) *hit) *hit {
	if x.s == nil {
		return nil
	}
	if r, ok := x.f.Survey().FindRow(bad); ok {
		return report(r)
	}
	return nil
}

// onRows is a demand on the content of rows.
func onRows(bad func(model.FRE, Arg) bool, report func(model.FRE, Arg) *hit) func(*subject, Arg) *hit {
	return func(x *subject, a Arg) *hit {
		return x.row(func(r model.FRE) bool { return bad(r, a) }, func(r model.FRE) *hit { return report(r, a) })
	}
}

// withWords says which rows a demand is limited to, if it is: a reader that
// refuses a row for its words does not look at its start.
func withWords(a Arg) string {
	if a.Max == 0 {
		return ""
	}
	return fmt.Sprintf(" with %d words at most, of a word size that exists,", a.Max)
}

// onBounds is a demand on where rows start in their functions.
func onBounds(bad func(model.FDE, model.FRE) bool) func(*subject, Arg) *hit {
	return func(x *subject, a Arg) *hit {
		if x.s == nil || !x.f.Survey().Has(survey.RowBeyond) {
			return nil
		}
		for i := range x.s.NumFDEs() {
			f := x.s.FDE(i)
			for r := range f.FREs() {
				if bad(f, r) && (a.Max == 0 || int64(r.NumWords()) <= a.Max && r.WordSize().Width() > 0) {
					return inRow(r, r.StartSpan(), "a row starts at %d, the function ends at %d", r.Start(), f.Size())
				}
			}
		}
		return nil
	}
}

func findDisorder(x *subject, _ Arg) *hit {
	if x.s == nil || !x.f.Survey().Has(survey.RowsUnordered) {
		return nil
	}
	for i := range x.s.NumFDEs() {
		prev := int64(-1)
		for r := range x.s.FDE(i).FREs() {
			if int64(r.Start()) <= prev {
				return inRow(r, r.StartSpan(), "a row starts at %d, the one in front of it at %d", r.Start(), prev)
			}
			prev = int64(r.Start())
		}
	}
	return nil
}
