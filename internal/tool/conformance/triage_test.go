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

	"github.com/sframe-lint/sframe-lint/internal/evidence/consumers"
	"github.com/sframe-lint/sframe-lint/internal/tool/asked"
	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// cause is why a decoder fails cases.
type cause struct {
	outcome conformance.Outcome
	why     string
	rule    string // that reports what is wrong with a section; "" for valid ones
}

// group is the cases of a cause, and the clauses that all of them test.
type group struct {
	cause
	cases, clauses []string
}

// decoderOf is a decoder whose failures are explained.
type decoderOf struct {
	profile *consumers.Profile
	raw     bool // it gets sections, not files
	results map[string]*conformance.Result
}

// triage groups the failures of a decoder by their causes, and lists those that have none.
func triage(t *testing.T, profile string, raw bool, r *conformance.Report) (groups []group, open []string) {
	all, err := consumers.Select(profile)
	require.NoError(t, err)
	require.Len(t, all, 1)
	d := &decoderOf{all[0], raw, map[string]*conformance.Result{}}
	for i := range r.Results {
		d.results[r.Results[i].Case.Name] = &r.Results[i]
	}
	by := map[cause]*group{}
	for i := range r.Results {
		x := &r.Results[i]
		if !x.Outcome.Failed() {
			continue
		}
		c, ok := d.explain(t, x)
		if !ok {
			open = append(open, failure(x))
			continue
		}
		if by[c] == nil {
			by[c] = &group{cause: c, clauses: slices.Clone(x.Case.Clauses)}
		}
		by[c].cases = append(by[c].cases, x.Case.Name)
		by[c].clauses = slices.DeleteFunc(by[c].clauses, func(id string) bool { return !slices.Contains(x.Case.Clauses, id) })
	}
	for _, g := range by {
		groups = append(groups, *g)
	}
	slices.SortFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(len(b.cases), len(a.cases)), cmp.Compare(a.outcome, b.outcome), cmp.Compare(a.rule, b.rule), cmp.Compare(a.why, b.why))
	})
	return groups, open
}

func failure(x *conformance.Result) string {
	return fmt.Sprintf("%s: %s: %s", x.Case.Name, x.Outcome, x.Detail)
}

// explain returns the cause of a failure. That of a section with a fault is that the decoder does not
// check for the fault, unless the decoder crashes on such sections without it, too. That of a valid section
// is a demand of the decoder's profile that the section does not meet, or one that is noted.
func (d *decoderOf) explain(t *testing.T, x *conformance.Result) (cause, bool) {
	c := cause{outcome: x.Outcome}
	if x.Case.Duty != conformance.Accept {
		part := strings.Split(x.Case.Name, "/")
		plain := d.results["valid/"+part[min(1, len(part)-1)]+"/plain"]
		if plain == nil || plain.Outcome != conformance.Crash || x.Outcome != conformance.Crash {
			c.rule, c.why = d.unchecked(x)
			return c, true
		}
		x = plain
	}
	for _, n := range noted {
		if slices.Contains(n.profiles, d.profile.Name) && n.failure.MatchString(failure(x)) {
			c.why = n.why
			return c, true
		}
	}
	c.why = d.unmet(t, x)
	return c, c.why != ""
}

// unchecked returns the rule that reports the fault of a section, of several one that is explained, and why
// the decoder reports no error; "" if its source was not read.
func (d *decoderOf) unchecked(x *conformance.Result) (rule, why string) {
	for _, id := range x.Case.Rules {
		for _, n := range unchecked {
			if slices.Contains(n.profiles, d.profile.Name) && slices.Contains(n.rules, id) && (n.outcome == "" || n.outcome == x.Outcome) {
				return id, n.why
			}
		}
	}
	return x.Case.Rules[0], ""
}

// unchecked are places in the source of a consumer where what a rule reports is no error.
var unchecked = []struct {
	profiles, rules []string
	outcome         conformance.Outcome // "" for any
	why             string
}{
	{libsframe3, []string{"SF1011", "SF1012", "SF1013"}, "",
		"`sframe_decode` compares the size of the section with that of a header alone, and reads what the header's fields claim"},
	{libsframe3, []string{"SF3002", "SF3003"}, "", "`sframe_decoder_get_fre` compares no offset with `sfh_fre_len`"},
	{libsframe3, []string{"SF2001"}, "", "`sframe_fre_start_addr_size` asserts that the type is known"},
	{libsframe3, []string{"SF3007", "SF3008"}, "", "`sframe_decoder_get_fre` asserts that the start is at most the function's size"},
	{libsframe3, []string{"SF2004"}, "", "all types but the flexible one are read as the default type"},
	{dump, []string{"SF3001"}, "", "`sframe_decoder_get_fre` returns an error, which the dump ignores"},
	{dump, []string{"SF3017", "SF3018"}, conformance.Crash, "the dump asserts that a flexible FRE has two words for the CFA"},
	{dump, []string{"SF3018"}, conformance.Taken, "the dump prints the CFA without a register"},
	{dump, []string{"SF3017"}, conformance.Taken, "the dump prints FP as unchanged, RA with another offset"},
	{dump, []string{"SF1006"}, "", "the dump asserts that it has names of the ABI's registers"},
	{libsframe3[1:], []string{"SF3017", "SF3018"}, "", "the functions that the decoder calls do not interpret the words of a flexible FRE"},
	{linux, []string{"SF1002"}, "", "in the mode for the kernel's own memory, `sframe_read_header` copies the header before it compares the size of the section"},
	{linux, []string{"SF3018"}, "", "`sframe_validate_section` reads the words and does not interpret them; a look-up of the FRE fails"},
	{glibc, []string{"SF1002", "SF1011", "SF1012", "SF1013"}, "", "`__sframe_decode` gets the address of the section and not its size"},
	{glibc, []string{"SF3002", "SF3003"}, "", "`__sframe_find_fre` compares no offset with `sfh_fre_len`"},
	{glibc, []string{"SF2001", "SF3001"}, "", "`__sframe_decode` reads no FDE and no FRE; a look-up of the function or the FRE fails"},
}

// Profiles of which the source was read.
var (
	libsframe3 = []string{"libsframe-2.47", "libsframe-api-2.47"}
	dump       = libsframe3[:1]
	linux      = []string{"linux-user"}
	glibc      = []string{"glibc-2.42"}
)

// noted are causes that no demand of a profile states, by the case and the detail of its failure.
var noted = []struct {
	profiles []string
	why      string
	failure  *regexp.Regexp
}{
	{libsframe3, "`sframe_decoder_get_fre` asserts that an FRE starts at most at the function's size",
		regexp.MustCompile(`/empty: crash: `)},
	{linux, "`__read_fre_datawords` sets the control word for the CFA of an outermost frame to 0, which `sframe_init_cfa_rule_data` refuses: " +
		"the look-up fails, and the unwinder goes on by frame pointers", regexp.MustCompile(`: wrong: \.row is null, not \{"cfa":"undefined"`)},
	{[]string{"libsframe-2.40"}, "it ignores `sfh_cfa_fixed_fp_offset`", regexp.MustCompile(`: wrong: .*\.fp is "unchanged", not "\*\(cfa[+-]\d+\)"`)},
	{libsframe3, "`SFRAME_V2_S390X_CFA_OFFSET_DECODE` multiplies the word for the CFA in 32 bits",
		regexp.MustCompile(`: wrong: .*\.cfa is "r\d+[+-]\d+", not "r\d+[+-]\d{10,}"`)},
	{dump, "the dump takes a word of 0 for RA as padding, on AArch64, too: [found.md](found.md#the-format) has the views",
		regexp.MustCompile(`: wrong: .*\.ra is "unchanged", not "\*\(cfa\+0\)"`)},
}

// unmet returns the first demand of the profile that a valid section does not meet and that explains the
// outcome, "" if there is none.
func (d *decoderOf) unmet(t *testing.T, x *conformance.Result) string {
	file, _, _, err := conformance.Wrap(conformance.Request{Section: x.Case.Section, Address: x.Case.Address})
	require.NoError(t, err)
	var o *reader.Object
	err = reader.ScanReader("case", bytes.NewReader(file), int64(len(file)), reader.Options{}, func(found *reader.Object) error { o = found; return nil })
	require.NoError(t, err)
	require.Len(t, o.SFrames, 1)
	if d.raw {
		o = &reader.Object{SFrames: o.SFrames}
	}
	verdicts := d.profile.Judge(o, o.SFrames[0], asked.Of(o))
	slices.SortStableFunc(verdicts, func(a, b consumers.Verdict) int { return order(d.profile, a) - order(d.profile, b) })
	for _, v := range verdicts {
		if i := order(d.profile, v); i >= 0 && explains(&d.profile.Checks[i], x) {
			return demandText(&d.profile.Checks[i])
		}
	}
	return ""
}

// order returns the index of a verdict's check in the profile, -1 if there is none. A demand may have
// several checks, which differ in what they say.
func order(p *consumers.Profile, v consumers.Verdict) int {
	return slices.IndexFunc(p.Checks, func(c consumers.Check) bool {
		return c.Demand == v.Check && c.Else == v.Outcome && strings.HasSuffix(v.Why, c.How)
	})
}

// explains reports whether the failure can come from a check. A decoder that continues with the wrong
// bytes may end in any way. One that rejects the function of a PC finds nothing.
func explains(c *consumers.Check, x *conformance.Result) bool {
	switch c.Else {
	case consumers.Misreads:
		return x.Outcome == conformance.Wrong || c.Ends
	case consumers.Crashes:
		return x.Outcome == conformance.Crash
	case consumers.Rejects, consumers.Ignores:
		return x.Outcome == conformance.Refused || x.Outcome == conformance.Wrong && x.Case.PC != ""
	}
	return false
}

// demandText states a demand and what the consumer does if a section does not meet it.
func demandText(c *consumers.Check) string {
	return fmt.Sprintf("it demands: %s; otherwise %s", c.Text(), cmp.Or(c.How, "it "+string(c.Else)))
}

// mostClauses is how many clauses of a group the page names.
const mostClauses = 4

// text states what a group has in common.
func (g *group) text() string {
	if g.rule == "" {
		return g.why
	}
	all := catalogue.Rules()
	title := all[slices.IndexFunc(all, func(r *rules.Rule) bool { return r.ID == g.rule })].Title
	ids := strings.Join(g.clauses[:min(len(g.clauses), mostClauses)], ", ")
	if more := len(g.clauses) - mostClauses; more > 0 {
		ids += fmt.Sprintf(" and %d more", more)
	}
	text := fmt.Sprintf("no error for this: %s (%s; %s)", title, g.rule, ids)
	if g.why != "" {
		text += ": " + g.why
	}
	return text
}

// causesText writes the groups, a line each.
func causesText(name, profile string, groups []group) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, by the profile %s:\n", name, profile)
	for _, g := range groups {
		fmt.Fprintf(&b, "%s, %d cases: %s; such as %s\n", g.outcome, len(g.cases), g.text(), g.cases[0])
	}
	return b.String()
}
