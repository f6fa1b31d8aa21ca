package conformance_test

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/conformance"
	"github.com/sframe-lint/sframe-lint/consumers"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// cause is why a decoder fails cases: a demand of its profile that the sections do not meet, or a
// rule that it does not check.
type cause struct {
	outcome conformance.Outcome
	why     string
}

// group is the cases of a cause.
type group struct {
	cause
	cases []string
}

// triage groups the failures of a decoder by their causes, as its profile has them, and lists those that it
// does not explain.
func triage(t *testing.T, profile string, raw bool, r *conformance.Report) (groups []group, open []string) {
	all, err := consumers.Select(profile)
	require.NoError(t, err)
	require.Len(t, all, 1)
	by := map[cause]*group{}
	for i := range r.Results {
		x := &r.Results[i]
		if !x.Outcome.Failed() {
			continue
		}
		failure, why := fmt.Sprintf("%s: %s: %s", x.Case.Name, x.Outcome, x.Detail), ""
		for _, n := range noted {
			if n.profile == profile && n.failure.MatchString(failure) {
				why = n.why
			}
		}
		if why = cmp.Or(why, explain(t, all[0], raw, x)); why == "" {
			open = append(open, failure)
			continue
		}
		c := cause{x.Outcome, why}
		if by[c] == nil {
			by[c] = &group{cause: c}
		}
		by[c].cases = append(by[c].cases, x.Case.Name)
	}
	for _, g := range by {
		groups = append(groups, *g)
	}
	slices.SortFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(len(b.cases), len(a.cases)), cmp.Compare(a.outcome, b.outcome), cmp.Compare(a.why, b.why))
	})
	return groups, open
}

// noted are causes that no demand of a profile states, by the case and the detail of its failure.
var noted = []struct {
	profile, why string
	failure      *regexp.Regexp
}{
	{"libsframe-api-2.47", "an FRE must not start after the end of its function: sframe_decoder_get_fre aborts on an assertion",
		regexp.MustCompile(`(empty|beyond-end|beyond-stub|fre-start-beyond-size): crash: signal: (aborted|segmentation fault)`)},
	{"linux", "it finds no row in an outermost frame, where a trace ends", regexp.MustCompile(`: wrong: \.row is null, not \{"cfa":"undefined"`)},
	{"linux", "in the mode that reads the kernel's own memory it reads the header of a section that is shorter", regexp.MustCompile(`cut-header: crash: `)},
	{"libsframe-2.40", "it ignores `sfh_cfa_fixed_fp_offset`", regexp.MustCompile(`: wrong: .*\.fp is "unchanged", not "\*\(cfa[+-]\d+\)"`)},
	{"libsframe-2.47", "it multiplies the word for the CFA of s390x in 32 bits", regexp.MustCompile(`: wrong: .*\.cfa is "r\d+\+\d+", not "r\d+-\d{10,}"`)},
	{"libsframe-2.47", "it takes a word of 0 for RA as padding, on AArch64, too: [contradictions.md](contradictions.md) has the views", regexp.MustCompile(`: wrong: .*\.ra is "unchanged", not "\*\(cfa\+0\)"`)},
}

// kindOf is what a profile calls an outcome.
var kindOf = map[conformance.Outcome][]consumers.Kind{
	conformance.Wrong: {consumers.Misreads}, conformance.Refused: {consumers.Rejects, consumers.Ignores}, conformance.Crash: {consumers.Crashes},
	conformance.Taken: {consumers.Misreads},
}

// explain returns the cause of a failure, "" if the profile has none.
func explain(t *testing.T, p *consumers.Profile, raw bool, x *conformance.Result) string {
	file, _, _, err := conformance.Wrap(conformance.Request{Section: x.Case.Section, Address: x.Case.Address})
	require.NoError(t, err)
	var o *reader.Object
	err = reader.ScanReader("case", bytes.NewReader(file), int64(len(file)), reader.Options{}, func(found *reader.Object) error { o = found; return nil })
	require.NoError(t, err)
	require.Len(t, o.SFrames, 1)
	if raw {
		o = &reader.Object{SFrames: o.SFrames}
	}
	for _, v := range p.Judge(o, o.SFrames[0]) {
		refuses := x.Case.PC != "" && v.Kind == consumers.Rejects // the function of the PC: it finds nothing
		if v.Kind != consumers.Reads && (v.Maybe || refuses || slices.Contains(kindOf[x.Outcome], v.Kind)) {
			return demandText(p, v)
		}
	}
	if x.Outcome == conformance.Taken && len(x.Case.Rules) > 0 {
		return fmt.Sprintf("it does not check this: %s (%s)", ruleTitle(x.Case.Rules[0]), x.Case.Rules[0])
	}
	return ""
}

func ruleTitle(id string) string {
	all := catalogue.Rules()
	return all[slices.IndexFunc(all, func(r *rules.Rule) bool { return r.ID == id })].Title
}

// demandText states a demand that a section does not meet and what the consumer does then.
func demandText(p *consumers.Profile, v consumers.Verdict) string {
	i := slices.IndexFunc(p.Checks, func(c consumers.Check) bool { return c.Demand == v.Check && c.Else == v.Kind })
	c := &p.Checks[i]
	how := c.How
	if how == "" {
		how = "it " + string(c.Else)
	}
	return fmt.Sprintf("it demands: %s; otherwise %s", c.Text(), how)
}

// causesText writes the groups as a table.
func causesText(name, profile string, groups []group) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\nBy the profile [%s](consumers.md#%s):\n\n| outcome | cases | why | such as |\n|---|---|---|---|\n", name, profile, strings.ReplaceAll(profile, ".", ""))
	for _, g := range groups {
		fmt.Fprintf(&b, "| %s | %d | %s | %s |\n", g.outcome, len(g.cases), g.why, g.cases[0])
	}
	return b.String()
}
