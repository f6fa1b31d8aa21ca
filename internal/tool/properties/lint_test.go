package properties

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// lint runs the rules over an input; addr is the address of a raw section.
func (r *run) lint(input []byte, addr uint64) []rules.Finding {
	return r.lintWith(input, reader.Options{RawAddress: addr})
}

func (r *run) lintWith(input []byte, opts reader.Options) (all []rules.Finding) {
	r.input = input
	r.stats.Bytes += int64(len(input))
	err := reader.ScanReader("generated", bytes.NewReader(input), int64(len(input)), opts, func(o *reader.Object) error {
		all = append(all, r.checked(r.driver.Run(o))...)
		return nil
	})
	if err != nil {
		r.fail("not read: %v", err)
	}
	r.stats.Findings += int64(len(all))
	return all
}

// checked checks that no rule has failed, and returns the findings.
func (r *run) checked(res *rules.Result) []rules.Finding {
	for _, f := range res.Failures {
		r.fail("rule %s failed: %s\n%s", f.Rule, f.Reason, f.Stack)
	}
	return res.Findings
}

// complaints lists the findings of at least a severity.
func complaints(all []rules.Finding, least rules.Severity) string {
	var b strings.Builder
	for _, f := range all {
		if f.Severity >= least && f.Rule.ID != catalogue.Obsolete {
			fmt.Fprintf(&b, "\n    %s %v FDE %d FRE %d: %s", f.Rule.ID, f.Severity, f.FDE, f.FRE, f.Message)
		}
	}
	return b.String()
}
