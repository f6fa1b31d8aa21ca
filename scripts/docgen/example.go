package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// mostLines is the number of findings that an example shows.
const mostLines = 3

// asked is what has to be asked for to see a rule fire.
type asked struct {
	file, flag, about string
	maxSection        int64  // bytes; 0: as usual
	maxMemory         int64  // the same
	consumer          string // that the rule is to judge by
	coverage          coverage.Percent
}

// asks are of rules that fire on no file as it is.
var asks = map[string]asked{
	catalogue.CoverageRule: {
		file: "files/mixed/v3-and-v2-by-ld-2.47.elf", flag: "--min-coverage 99%", coverage: 99,
		about: "GNU ld 2.47 linked objects of two versions, and dropped the data of one of them.",
	},
	"SF5031": {
		file: "files/hand/v3-amd64.sframe", flag: "--limit max-bytes=100", maxSection: 100,
		about: "A tidy section of 200 bytes: no file that is worth keeping is larger than the usual limit, so it is set to 100.",
	},
	"SF5033": {
		file: "files/binutils-2.47/amd64/program.elf", flag: "--limit max-memory=1000", maxMemory: 1000,
		about: "A program of 30 sections: no file that is worth keeping exceeds the usual budget, so it is set to 1000.",
	},
	"SF8001": {file: "files/hand/v2-amd64.sframe", flag: "--consumer linux-user", consumer: "linux-user"},
	"SF8002": {file: "files/hand/v3-amd64-concatenated.sframe", flag: "--consumer libsframe-2.47", consumer: "libsframe-2.47"},
	"SF8003": {file: "files/hand/v2-amd64-mask-rep-size-0.sframe", flag: "--consumer glibc-2.42", consumer: "glibc-2.42"},
	"SF8004": {file: "files/hand/v2-amd64.sframe", flag: "--consumer mold-3", consumer: "mold-3"},
}

// documented returns the rules that have pages: those of the catalogue, and
// those that only a selection of consumers makes report something.
func documented() []*rules.Rule {
	return catalogue.All(catalogue.Settings{})
}

// bound returns the rule as the flags of its example bind it.
func bound(r *rules.Rule) (*rules.Rule, error) {
	ask, ok := asks[r.ID]
	if !ok {
		return r, nil
	}
	s := catalogue.Settings{MinCoverage: float64(ask.coverage)}
	var err error
	if s.Consumers, err = catalogue.Consumers(ask.consumer); err != nil {
		return nil, err
	}
	all := catalogue.All(s)
	return all[slices.IndexFunc(all, func(other *rules.Rule) bool { return other.ID == r.ID })], nil
}

// preferred are files that show a rule better than the smallest does.
var preferred = map[string]string{
	"SF2013": "files/hand/v3-amd64-overlap.sframe",
	"SF6007": "files/cfi/gas-2.47/cfa-offset-register.o",
	"SF6009": "files/llvm-23/amd64/reloffset.o",
}

// findExamples returns an example for each rule, by ID.
func findExamples(found []*linted) (map[string]*clauses.Example, error) {
	all := map[string]*clauses.Example{}
	for _, r := range documented() {
		f := best(r, found)
		if f == nil {
			return nil, fmt.Errorf("no file of the corpus shows %s (%s)", r.ID, r.Title)
		}
		ex, err := example(r, f)
		if err != nil {
			return nil, err
		}
		all[r.ID] = ex
	}
	return all, nil
}

// best returns the file that shows a rule best: one with no graver finding
// beside it, made for it, and small.
func best(r *rules.Rule, found []*linted) *linted {
	var fit []*linted
	for _, f := range found {
		if f.fires[r.ID] > 0 || asks[r.ID].file == f.File {
			if f.File == preferred[r.ID] {
				return f
			}
			fit = append(fit, f)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	return slices.MinFunc(fit, func(a, b *linted) int {
		return cmp.Or(
			cmp.Compare(a.countOthers(r), b.countOthers(r)),
			cmp.Compare(a.unlike(), b.unlike()),
			cmp.Compare(len(a.fires), len(b.fires)),
			cmp.Compare(a.size, b.size),
			cmp.Compare(a.File, b.File),
		)
	})
}

// unlike is the larger, the less a file is a section by hand: archives come last.
func (f *linted) unlike() (n int) {
	for i, is := range []bool{f.Kind != "raw", !strings.HasPrefix(f.File, "files/hand/"), strings.HasSuffix(f.Kind, "archive")} {
		if is {
			n += 1 << i
		}
	}
	return n
}

// countOthers counts the other rules that find something worse than notes.
func (f *linted) countOthers(r *rules.Rule) int {
	n := 0
	for _, other := range catalogue.Default() {
		if other.ID != r.ID && f.fires[other.ID] > 0 && other.Severity > rules.Note {
			n++
		}
	}
	return n
}

// example runs a rule over a file.
func example(r *rules.Rule, f *linted) (*clauses.Example, error) {
	ex := &clauses.Example{Rule: r.ID, File: f.path(), About: cmp.Or(asks[r.ID].about, f.About)}
	args := []string{"sframe-lint", "--select", r.ID}
	if f.RawAddress != "" {
		args = append(args, "--address", f.RawAddress)
	}
	if extra := asks[r.ID].flag; extra != "" {
		args = append(args, extra)
	}
	ex.Command = strings.Join(append(args, ex.File), " ")

	var out bytes.Buffer
	text := reports.NewText(&out, false)
	r, err := bound(r)
	if err != nil {
		return nil, err
	}
	driver := &rules.Driver{Rules: []*rules.Rule{r}}
	opts := reader.Options{Limits: reader.Limits{reader.MaxSection: asks[r.ID].maxSection, reader.MaxMemory: asks[r.ID].maxMemory}}
	err = f.scan(opts, func(o *reader.Object) error {
		all := driver.Run(o).Findings
		if len(all) > 0 && ex.Bytes == "" {
			ex.Bytes = annotated(o, &all[0])
		}
		return text.File(&lint.File{Path: ex.File, Objects: []lint.Object{{Findings: all}}})
	})
	if err = errors.Join(err, text.Close(lint.Summary{})); err != nil {
		return nil, err
	}
	if out.Len() == 0 {
		return nil, fmt.Errorf("%s does not fire: %s", r.ID, ex.Command)
	}
	lines := strings.SplitAfter(out.String(), "\n")
	lines = lines[:len(lines)-1]
	if len(lines) > mostLines {
		ex.More = len(lines) - mostLines
		lines = lines[:mostLines]
	}
	ex.Output = help().ReplaceAllString(strings.Join(lines, ""), "; help: ... [SF")
	return ex, nil
}

// annotated shows the bytes of a finding.
func annotated(o *reader.Object, f *rules.Finding) string {
	if f.Span.Len == 0 && f.Span.Off == 0 && !f.InSection {
		return "" // about the whole file
	}
	return aroundMarks(lint.ListingOf(o, f).String())
}

func examplesJSON(byRule map[string]*clauses.Example) (string, error) {
	list := make([]*clauses.Example, 0, len(byRule))
	for _, r := range documented() {
		list = append(list, byRule[r.ID])
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(list)
	return b.String(), err
}

// help is the remedy in a line of a finding, which the page of the rule has as well.
var help = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`; help: .* \[SF`) })

// aroundMarks keeps of a listing its title, the marked fields and those next to them. "..." stands for others.
func aroundMarks(text string) string {
	lines := strings.SplitAfter(text, "\n")
	marked := func(i int) bool { return i >= 0 && i < len(lines) && strings.HasPrefix(lines[i], ">") }
	var b strings.Builder
	left := false
	for i, line := range lines {
		if i > 0 && line != "" && !marked(i-1) && !marked(i) && !marked(i+1) {
			if !left {
				b.WriteString("  ...\n")
			}
			left = true
			continue
		}
		left = false
		b.WriteString(line)
	}
	return b.String()
}
