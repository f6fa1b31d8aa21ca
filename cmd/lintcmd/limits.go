package lintcmd

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/lint/config"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// limits bound what a run may cost.
type limits struct {
	findings int
	section  config.Size
	code     config.Size
	symbols  config.Size
	timeout  time.Duration
}

func (l *limits) flags(fl *pflag.FlagSet) {
	l.section, l.code, l.symbols = reader.DefaultMaxSection, rules.DefaultCodeLimit, rules.DefaultSymbolLimit
	fl.IntVar(&l.findings, "max-findings", rules.DefaultLimit, "report at most `N` findings of a rule in a section; 0: all")
	fl.Var(&l.section, "max-bytes", "read no .sframe section of more than `SIZE` bytes (4096, 64M, 1G);\n0: any size")
	fl.Var(&l.code, "code-limit", "rules that look at machine code leave out files with more than\n`SIZE` bytes of it; 0: look at any amount")
	fl.Var(&l.symbols, "symbol-limit", "rules that look at symbols leave out files with symbol tables of\nmore than `SIZE` bytes; 0: look at any amount")
	fl.DurationVar(&l.timeout, "timeout", 0, "give a file up after this `DURATION` (500ms, 1m30s); 0: never")
}

func (l *limits) check() error {
	if l.findings < 0 {
		return fmt.Errorf("--max-findings: %d is below 0", l.findings)
	}
	if l.timeout < 0 {
		return fmt.Errorf("--timeout: %s is below 0", l.timeout)
	}
	return nil
}

// Where some of the findings may be known, room times as many are kept, or
// atLeast.
const (
	room    = 10
	atLeast = 100_000
)

// driver sets the limits of a driver. If filtered, findings are still to be
// dropped, and the limit is for what is left: see trim.
func (l *limits) driver(d *rules.Driver, filtered bool) {
	d.Limit, d.CodeLimit, d.SymbolLimit = l.findings, int64(l.code), int64(l.symbols)
	switch {
	case l.findings == 0:
		d.Limit = -1
	case filtered && l.findings <= math.MaxInt/room:
		d.Limit = max(l.findings*room, atLeast)
	}
	if l.code == 0 {
		d.CodeLimit = -1
	}
	if l.symbols == 0 {
		d.SymbolLimit = -1
	}
}

// trim cuts the findings of a rule in a section to the limit.
func (l *limits) trim(o *lint.Object) {
	if l.findings == 0 {
		return
	}
	type place struct {
		rule    string
		section int
	}
	n := map[place]int{}
	o.Findings = slices.DeleteFunc(o.Findings, func(f rules.Finding) bool {
		at := place{f.Rule.ID, f.SectionIndex}
		n[at]++
		if n[at] <= l.findings {
			return false
		}
		o.Cut[f.Rule.ID]++
		return true
	})
}

// maxSection is what the reader wants to know of --max-bytes.
func (l *limits) maxSection() int64 {
	if l.section == 0 {
		return math.MaxInt64
	}
	return int64(l.section)
}

// skips gathers which rules did not look, and at how many inputs.
type skips struct {
	rules  map[string]bool
	inputs int
}

func (s *skips) add(o *lint.Object) {
	any := false
	for _, x := range o.HeldBack {
		if !x.Fact.IsLimit() {
			continue
		}
		if s.rules == nil {
			s.rules = map[string]bool{}
		}
		s.rules[x.Rule], any = true, true
	}
	if any {
		s.inputs++
	}
}

// remark sums up in a line what a clean report would hide.
func (s *skips) remark(inputs int) string {
	ids := make([]string, 0, len(s.rules))
	for id := range s.rules {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	where := ""
	if inputs > 1 {
		where = fmt.Sprintf(" at %d of %d inputs", s.inputs, inputs)
	}
	return fmt.Sprintf("%s did not look%s, to save time: %s (--code-limit, --symbol-limit)",
		count(len(ids), "rule"), where, strings.Join(ids, ", "))
}
