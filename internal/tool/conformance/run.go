package conformance

import (
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	suite "github.com/sframe-lint/sframe-lint/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/campaign"
)

// Report has the results of a decoder or a linker.
type Report struct {
	Decoder string // "" for a linker
	Linker  string
	Results []Result
}

// Run sends all cases to a decoder. After each answer it calls each, unless nil, with the number of answered cases,
// and stops if each returns false. It returns [ErrSilent] if several requests in a row, or many in total, get no
// answer. It gives up sooner if the decoder has never answered.
func Run(ctx context.Context, name string, d Decoder, cases []Case, each func(done int, last *Result) bool) (*Report, error) {
	r := &Report{Decoder: name}
	silent, all, most := 0, 0, mostSilentAtFirst
	for i := range cases {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		c := &cases[i]
		a := d.Ask(Request{c.Section, c.Address, c.PC})
		if silent, all = silent+1, all+1; !a.Silent {
			silent, all, most = 0, all-1, mostSilent
		}
		switch {
		case silent == most:
			return r, fmt.Errorf("%w %d requests in a row, the last one of %s", ErrSilent, silent, c.Name)
		case all >= manySilent && all*oneSilentIn >= i+1:
			return r, fmt.Errorf("%w %d of %d requests, the last one of %s", ErrSilent, all, i+1, c.Name)
		}
		r.Results = append(r.Results, judge(c, a))
		if each != nil && !each(i+1, &r.Results[i]) {
			break
		}
	}
	r.skipQuestions()
	return r, nil
}

// mostSilent is the number of requests in a row that a decoder may leave without an answer, mostSilentAtFirst how many
// before its first answer. One that leaves manySilent in all, at least one in oneSilentIn of those so far, answers
// only after each start.
const (
	mostSilent        = 5
	mostSilentAtFirst = 2
	manySilent        = 10
	oneSilentIn       = 10
)

// ErrSilent is the cause of the error if a run stops because the decoder does not answer.
var ErrSilent = errors.New("the decoder does not answer")

// RunRandom sends n random cases to a decoder, starting at a seed. If shrink is set, it minimizes failures, but at
// most three with the same clause or outcome.
func RunRandom(ctx context.Context, name string, d Decoder, seed uint64, n int, shrink bool, each func(done int, last *Result) bool) (*Report, error) {
	all := &Report{Decoder: name}
	more := true
	for i := 0; i < n && more; i += batchOfRandom {
		cases := make([]Case, 0, batchOfRandom)
		for k := i; k < min(i+batchOfRandom, n); k++ {
			c, err := Random(seed + uint64(k))
			if err != nil {
				return all, err
			}
			cases = append(cases, *c)
		}
		r, err := Run(ctx, name, d, cases, func(done int, last *Result) bool {
			more = each == nil || each(i+done, last)
			return more
		})
		all.Results = append(all.Results, r.Results...)
		if err != nil {
			return all, err
		}
	}
	all.skipQuestions()
	seen := map[string]int{}
	for i := range all.Results {
		x := &all.Results[i]
		if !shrink || !x.Outcome.Failed() || seen[x.like()] == mostNamed || ctx.Err() != nil {
			continue
		}
		seen[x.like()]++
		*x = Shrink(ctx, d, *x, mostTries)
	}
	return all, ctx.Err()
}

// batchOfRandom is the number of random cases that are made at a time, mostTries how often a decoder is asked to make one
// smaller.
const (
	batchOfRandom = 256
	mostTries     = 2000
)

// like returns what failures of one cause have in common.
func (r *Result) like() string {
	detail := r.Detail
	if at := strings.IndexAny(detail, "[ "); at >= 0 {
		detail = detail[:at]
	}
	return string(r.Outcome) + " " + detail + " " + strings.Join(r.Case.Rules, " ")
}

// End counts a failure of the decoder at the end of its input. err is the error of [Decoder.Close].
func (r *Report) End(err error) {
	var end *EndError
	if errors.As(err, &end) {
		r.Results = append(r.Results, Result{Case: &Case{Name: "end/of-input", Duty: Either}, Outcome: Crash, Detail: end.Error(), Stderr: end.Stderr})
	}
}

// Score returns the percentage of cases that pass, without the skipped ones, rounded down.
func (r *Report) Score() int {
	tried := len(r.Results) - r.Count("", Skipped)
	return 100 * (tried - r.Failed()) / max(tried, 1)
}

// scores writes the score of a linker, for each version of its inputs and for all.
func (r *Report) scores(b *strings.Builder) {
	for _, v := range []string{"v1", "v2", "v2e1", "v3"} {
		some := r.Of("link/" + v + "-")
		if tried := len(some.Results) - some.Count("", Skipped); tried > 0 {
			fmt.Fprintf(b, "%s: %d of %d, %d %%\n", v, tried-some.Failed(), tried, some.Score())
		}
	}
	fmt.Fprintf(b, "score: %d %%\n", r.Score())
}

// Of returns the results of the cases whose names have a prefix.
func (r *Report) Of(prefix string) *Report {
	some := &Report{Decoder: r.Decoder, Linker: r.Linker}
	for _, x := range r.Results {
		if strings.HasPrefix(x.Case.Name, prefix) {
			some.Results = append(some.Results, x)
		}
	}
	return some
}

// Failed returns the number of cases that fail.
func (r *Report) Failed() (n int) {
	for i := range r.Results {
		if r.Results[i].Outcome.Failed() {
			n++
		}
	}
	return n
}

// Count returns the number of cases of a kind with an outcome. "" means all kinds.
func (r *Report) Count(kind string, o Outcome) (n int) {
	for i := range r.Results {
		if x := &r.Results[i]; x.Outcome == o && (kind == "" || x.Case.Kind() == kind) {
			n++
		}
	}
	return n
}

// clauses returns the clauses of a case that fails, in brackets, and the points on which the manual is silent.
func (r *Result) clauses() (text string) {
	if len(r.Case.Clauses) > 0 {
		text = " [" + strings.Join(r.Case.Clauses, " ") + "]"
	}
	for _, point := range r.points() {
		text += "; the manual is silent: docs/conformance.md#" + point
	}
	return text
}

// points returns the points on which the manual is silent and the member that differs rests.
func (r *Result) points() []string {
	member := "error"
	if r.Outcome == Wrong {
		path, _, _ := strings.Cut(r.Detail, " ")
		member, _, _ = strings.Cut(path[strings.LastIndexByte(path, '.')+1:], "[")
	}
	return r.Case.Points[member]
}

// lastLines returns the last lines that a decoder that crashed has written to standard error.
func (r *Result) lastLines() (text string) {
	lines := strings.FieldsFunc(r.Stderr, func(c rune) bool { return c == '\n' })
	for _, line := range lines[max(0, len(lines)-mostLines):] {
		text += "  | " + strings.ToValidUTF8(line[:min(len(line), maxLine)], "?") + "\n"
	}
	return text
}

// Bounds of what the text shows of a decoder's standard error: lines, and bytes of a line.
const (
	mostLines = 12
	maxLine   = 200
)

// Clause is a clause with the names of the cases that violate it.
type Clause struct {
	ID    string   `json:"clause"`
	Cases []string `json:"cases"`
}

// Broken returns the clauses of failed cases, those with most cases first.
func (r *Report) Broken() []Clause {
	by := map[string][]string{}
	for i := range r.Results {
		if x := &r.Results[i]; x.Outcome.Failed() {
			for _, id := range x.Case.Clauses {
				by[id] = append(by[id], x.Case.Name)
			}
		}
	}
	all := make([]Clause, 0, len(by))
	for _, id := range slices.Sorted(maps.Keys(by)) {
		all = append(all, Clause{id, by[id]})
	}
	slices.SortStableFunc(all, func(a, b Clause) int { return cmp.Compare(len(b.Cases), len(a.Cases)) })
	return all
}

var outcomes = append([]Outcome{Pass, Partial, Skipped, Wrong, Refused, Taken, Crash}, LinkFaults...)

// mostHex is the longest section that the text has, in hexadecimal digits.
const mostHex = 1000

// mostNamed is the number of cases of a clause that the text names.
const mostNamed = 3

// Text writes the failures, the clauses that they violate, and a summary.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	for i := range r.Results {
		if x := &r.Results[i]; x.Outcome.Failed() {
			fmt.Fprintf(&b, "%s: %s: %s%s\n", x.Case.Name, x.Outcome, x.Detail, x.clauses())
			b.WriteString(x.lastLines())
			if x.Case.Kind() == "random" && len(x.Case.Section) <= mostHex {
				fmt.Fprintf(&b, "  section %s at %s", x.Case.Section, x.Case.Address)
				if x.Case.PC != "" {
					fmt.Fprintf(&b, ", PC %s", x.Case.PC)
				}
				fmt.Fprintf(&b, "; expected: %s\n", cmp.Or(string(x.Case.Expect), "an error"))
			}
		}
	}
	if broken := r.Broken(); len(broken) > 0 {
		b.WriteString("\nclauses:\n")
		for _, c := range broken {
			names := strings.Join(c.Cases[:min(len(c.Cases), mostNamed)], ", ")
			if more := len(c.Cases) - mostNamed; more > 0 {
				names += fmt.Sprintf(" and %d more", more)
			}
			fmt.Fprintf(&b, "  %s  %d: %s\n", c.ID, len(c.Cases), names)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%d cases", len(r.Results))
	for _, o := range outcomes {
		if n := r.Count("", o); n > 0 {
			fmt.Fprintf(&b, ", %d %s", n, o)
		}
	}
	b.WriteByte('\n')
	if r.Linker != "" {
		r.scores(&b)
	} else {
		r.comparison(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// JSON writes all results.
func (r *Report) JSON(w io.Writer) error {
	type result struct {
		Name    string   `json:"name"`
		Outcome Outcome  `json:"outcome"`
		Detail  string   `json:"detail,omitempty"`
		Clauses []string `json:"clauses,omitempty"`
	}
	out := struct {
		Suite   string   `json:"suite"`
		Decoder string   `json:"decoder,omitempty"`
		Linker  string   `json:"linker,omitempty"`
		Score   *int     `json:"score,omitempty"`
		Results []result `json:"results"`
		Broken  []Clause `json:"broken"`

		Compared    []string               `json:"compared,omitempty"`
		NotCompared []campaign.NotCompared `json:"not_compared,omitempty"`
	}{suite.Version, r.Decoder, r.Linker, nil, []result{}, r.Broken(), nil, nil}
	if r.Linker == "" {
		out.Compared, out.NotCompared = r.Compared()
	}
	if score := r.Score(); r.Linker != "" {
		out.Score = &score
	}
	for i := range r.Results {
		x := &r.Results[i]
		out.Results = append(out.Results, result{x.Case.Name, x.Outcome, x.Detail, x.Case.Clauses})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(out)
}

// JUnit writes the results as the XML of JUnit.
func (r *Report) JUnit(w io.Writer) error {
	type message struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
	}
	type test struct {
		Name    string   `xml:"name,attr"`
		Class   string   `xml:"classname,attr"`
		Failure *message `xml:"failure"`
		Skipped *message `xml:"skipped"`
	}
	suite := struct {
		XMLName  xml.Name `xml:"testsuite"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Skipped  int      `xml:"skipped,attr"`
		Cases    []test   `xml:"testcase"`
	}{Name: "sframe-conformance " + suite.Version, Tests: len(r.Results), Failures: r.Failed(), Skipped: r.Count("", Skipped)}
	for i := range r.Results {
		x := &r.Results[i]
		t := test{Name: x.Case.Name, Class: x.Case.Kind()}
		switch {
		case x.Outcome.Failed():
			t.Failure = &message{x.Detail + x.clauses(), string(x.Outcome)}
		case x.Outcome == Skipped:
			t.Skipped = &message{Message: cmp.Or(x.Detail, "not supported by the decoder")}
		}
		suite.Cases = append(suite.Cases, t)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	if err := e.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
