package selfcheck

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// lint runs the rules over an input; addr is the address of a raw section.
func (r *run) lint(input []byte, addr uint64) []rules.Finding {
	return r.lintWith(input, reader.Options{RawAddress: addr})
}

func (r *run) lintWith(input []byte, opts reader.Options) (all []rules.Finding) {
	r.input = input
	r.stats.Bytes += int64(len(input))
	err := reader.ScanReader("generated", bytes.NewReader(input), int64(len(input)), opts, func(o *reader.Object) error {
		all = append(all, r.told(r.driver.Run(o))...)
		return nil
	})
	if err != nil {
		r.fail("not read: %v", err)
	}
	r.stats.Findings += int64(len(all))
	return all
}

// told sees that no rule has failed, and returns the findings.
func (r *run) told(res *rules.Result) []rules.Finding {
	for _, f := range res.Failures {
		r.fail("rule %s failed: %s\n%s", f.Rule, f.Reason, f.Stack)
	}
	return res.Findings
}

// complaints writes down the findings of at least a severity.
func complaints(all []rules.Finding, least rules.Severity) string {
	var b strings.Builder
	for _, f := range all {
		if f.Severity >= least {
			fmt.Fprintf(&b, "\n    %s %v FDE %d FRE %d: %s", f.Rule.ID, f.Severity, f.FDE, f.FRE, f.Message)
		}
	}
	return b.String()
}

// findings sees that a rule finds no error in a valid section.
func (r *run) findings() {
	b, err := generator.Encode(r.p)
	if err != nil {
		return
	}
	if c := complaints(r.lint(b, r.p.Addr), rules.Error); c != "" {
		r.fail("errors in a valid section:%s", c)
	}
}

// wraps are the files that a section can be put in.
var wraps = []struct {
	name string
	wrap func(*generator.Plan) (*generator.File, error)
}{
	{"executable", generator.WrapExec},
	{"shared object", generator.WrapShared},
	{"object file", generator.WrapRel},
}

// container puts the section into a file, one kind by turns, and sees that
// what is in it is the section, and nothing is wrong.
func (r *run) container() {
	r.input = nil
	kind := wraps[r.m.Rand.IntN(len(wraps))]
	f, err := kind.wrap(r.p)
	if err != nil {
		r.fail("%s: %v", kind.name, err)
		return
	}
	r.stats.Files++
	if c := complaints(r.lint(f.Bytes, 0), rules.Error); c != "" {
		r.fail("errors in a valid %s:%s", kind.name, c)
	}
	r.same(f, kind.name)
}

// same sees that the section in a file says what the file's plan says, and that
// look-ups in the file agree with a scan.
func (r *run) same(f *generator.File, kind string) {
	r.input = f.Bytes
	err := reader.ScanReader("generated", bytes.NewReader(f.Bytes), int64(len(f.Bytes)), reader.Options{}, func(o *reader.Object) error {
		r.query(o)
		return holds(o, f)
	})
	if err != nil {
		r.fail("%s: %v", kind, err)
	}
}
