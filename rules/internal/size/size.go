// Package size has family SF7: advice on smaller sections. Each rule reports once for a section, at the first place,
// with the total number of bytes to save.
package size

import (
	"golang.org/x/tools/go/analysis"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/internal/prereq"
)

// Rules are the rules of the family, sorted by ID.
var Rules = []*rules.Rule{
	wideStarts, wideWords, repeats, mergeable, unsorted, total, flexible,
}

// saving is the result of one rule.
type saving struct {
	bytes int64
	count int
	at    model.Span // the first place
	fde   int
	fre   int // -1 for a whole function
	noun  string
	what  string
}

func (s *saving) add(bytes int64, at model.Span, fde, fre int) {
	if s.count == 0 {
		s.at, s.fde, s.fre = at, fde, fre
	}
	s.count++
	s.bytes += bytes
}

// Advisors find, once for a section, what each rule reports and total adds up.
var (
	byStarts = advisor("starts", findWideStarts)
	byWords  = advisor("words", findWideWords)
	byRows   = advisor("rows", findRepeats)
	byStubs  = advisor("stubs", findMergeable)
	byType   = advisor("type", countNeedless)

	advisors = []*analysis.Analyzer{byStarts, byWords, byRows, byStubs, byType}
)

func advisor(name string, find func(*rules.Context) saving) *analysis.Analyzer {
	return prereq.OfSection("saving_"+name, "what narrower or fewer "+name+" would save", func(pass *analysis.Pass) saving {
		return find(rules.Look(pass))
	})
}
