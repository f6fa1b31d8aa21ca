package generator_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/generator"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// lint runs all rules over an input, of which addr is the address if it is
// a raw section.
func lint(input []byte, addr uint64) (all []rules.Finding, wrong string) {
	d := &rules.Driver{Rules: catalogue.Default()}
	err := reader.ScanReader("generated", bytes.NewReader(input), int64(len(input)), reader.Options{RawAddress: addr},
		func(o *reader.Object) error {
			r := d.Run(o)
			for _, f := range r.Failures {
				wrong = fmt.Sprintf("rule %s failed: %s", f.Rule, f.Reason)
			}
			all = append(all, r.Findings...)
			return nil
		})
	if err != nil {
		wrong = err.Error()
	}
	return all, wrong
}

// containers are a plan's section, raw and in all files.
func containers(p *generator.Plan) (map[string][]byte, string) {
	b, err := generator.Encode(p)
	if err != nil {
		return nil, err.Error()
	}
	all := map[string][]byte{"raw": b}
	for kind, wrap := range wraps {
		w, err := wrap(p)
		if err != nil {
			return nil, err.Error()
		}
		all[kind] = w.Bytes
	}
	return all, ""
}

// complaints writes down the findings that are not among those expected.
func complaints(all []rules.Finding, least rules.Severity, expected ...string) string {
	var b strings.Builder
	for _, f := range all {
		if f.Severity >= least && !slices.Contains(expected, f.Rule.ID) {
			fmt.Fprintf(&b, "%s FDE %d FRE %d: %s\n", f.Rule.ID, f.FDE, f.FRE, f.Message)
		}
	}
	return b.String()
}

// obsolete is the warning that every section of V1 earns.
const obsolete = "SF1004"

// TestDefaultEarnsNoFinding: not so much as a note, raw or in a file.
func TestDefaultEarnsNoFinding(t *testing.T) {
	for _, abi := range model.ABIs() {
		for v := model.SFRAME_VERSION_1; v <= model.SFRAME_VERSION_3; v++ {
			if !abi.InVersion(v) {
				continue
			}
			c := generator.Default()
			c.Version, c.ABI = int64(v), int64(abi.ID)
			for c.Seed = range int64(60) {
				p, err := generator.Generate(c)
				require.NoError(t, err)
				all, wrong := containers(p)
				require.Empty(t, wrong)
				for kind, b := range all {
					found, wrong := lint(b, p.Addr)
					require.Empty(t, wrong)
					require.Empty(t, complaints(found, rules.Note, obsolete), "%s of %s", kind, p)
				}
			}
		}
	}
}

// TestValidEarnsNoError: whatever the knobs, and in whatever file.
func TestValidEarnsNoError(t *testing.T) {
	holds(t, func(p *generator.Plan) string {
		all, wrong := containers(p)
		for kind, b := range all {
			found, w := lint(b, p.Addr)
			if w != "" {
				wrong = w
			}
			if c := complaints(found, rules.Error); c != "" {
				wrong = kind + ": " + c
			}
		}
		return wrong
	})
}
