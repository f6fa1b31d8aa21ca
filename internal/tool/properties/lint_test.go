package properties

import (
	"github.com/sframe-lint/sframe-lint/internal/testkit/breaktest"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// lint runs the rules over an input; addr is the address of a raw section.
func (r *run) lint(input []byte, addr uint64) []rules.Finding {
	return r.lintWith(input, reader.Options{RawAddress: addr})
}

func (r *run) lintWith(input []byte, opts reader.Options) []rules.Finding {
	r.input = input
	all, err := breaktest.Lint(r.driver, input, opts)
	if err != nil {
		r.fail("%v", err)
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
