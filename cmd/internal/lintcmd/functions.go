package lintcmd

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
)

// selects reports whether the SFrame data of a file has a function that was asked for.
func (a *app) selects(p lint.Path, only dump.Selection) (found bool) {
	_ = a.scan(p, reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		for _, s := range o.SFrames {
			found = found || only.Selects(o, s)
		}
		return nil
	})
	return found
}

// mostNames is the number of functions that are looked at for a suggestion.
const mostNames = 1 << 14

// noFunction says that a file has no function of a pattern or at an address, and which are near.
func (a *app) noFunction(p lint.Path, only dump.Selection) {
	word := strings.Trim(only.Func, "*?")
	var names, with []string
	var near model.FDE
	var nearest string
	err := a.scan(p, reader.Options{NoSurvey: true}, func(o *reader.Object) error {
		for _, s := range o.SFrames {
			if s.Section == nil || o.ELF == nil {
				continue
			}
			for f := range s.Section.FDEs() {
				y, ok := o.ELF.Symbols.Func(f.Place(), f.Start())
				if f.Resolved() && (nearest == "" || distance(f, only.PC) < distance(near, only.PC)) {
					near, nearest = f, fmt.Sprintf("0x%x to 0x%x", f.Start(), f.End())
					if ok {
						nearest = escape.Name(y.Name) + ", " + nearest
					}
				}
				if !ok || len(names) == mostNames {
					continue
				}
				if names = append(names, y.Name); word != "" && strings.Contains(y.Name, word) {
					with = append(with, y.Name)
				}
			}
		}
		return nil
	})
	if err != nil {
		return // it was read before, and what is wrong was said
	}
	what, hint := fmt.Sprintf("no function %s", escape.Name(only.Func)), ""
	close := lookup.Near(word, names)
	if n := len(with); n > 0 && n <= 3 {
		close = with
	}
	switch {
	case only.ByPC:
		what = fmt.Sprintf("no function at 0x%x", only.PC)
		if nearest != "" {
			hint = "; the nearest one is " + nearest
		}
	case len(close) > 0:
		hint = "; did you mean " + escape.Printable(lookup.List(close, `"`)) + "?"
	case len(with) > 0:
		hint = fmt.Sprintf("; --func '*%s*' is for %d functions", escape.Printable(word), len(with))
	}
	a.printLine("%s: %s in its SFrame data%s", reports.Name(p.Name, ""), what, hint)
}

// distance is how far an address is from a function.
func distance(f model.FDE, pc uint64) uint64 {
	switch {
	case pc < f.Start():
		return f.Start() - pc
	case pc >= f.End():
		return pc - f.End() + 1
	}
	return 0
}
