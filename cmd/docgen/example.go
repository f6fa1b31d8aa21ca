package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/docs"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
	"github.com/sframe-lint/sframe-lint/rules/catalogue"
)

// mostLines is how many findings an example shows.
const mostLines = 3

// flags are needed for a rule that fires on no file as it is.
var flags = map[string]struct {
	file, flag, about string
	opts              reader.Options
}{
	"SF5031": {
		"files/hand/v3-amd64.sframe", "--max-bytes 100",
		"A tidy section of 200 bytes: no file that is worth keeping is larger than the usual limit, so it is set to 100.",
		reader.Options{MaxSection: 100},
	},
}

// preferred are files that show a rule better than the smallest does.
var preferred = map[string]string{
	"SF2013": "files/hand/v3-amd64-overlap.sframe",
	"SF3106": "files/binutils-2.47/amd64/pltgot.elf",
	"SF6003": "files/binutils-2.47/amd64/manyrows.o",
}

// findExamples returns an example for each rule, by ID.
func findExamples(found []*linted) (map[string]*docs.Example, error) {
	all := map[string]*docs.Example{}
	for _, r := range catalogue.Rules() {
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
		if f.fires[r.ID] > 0 || flags[r.ID].file == f.File {
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
			cmp.Compare(a.distractions(r), b.distractions(r)),
			compareBool(a.archive(), b.archive()),
			-compareBool(a.byHand(), b.byHand()),
			-compareBool(a.Kind == "raw", b.Kind == "raw"),
			cmp.Compare(len(a.fires), len(b.fires)),
			cmp.Compare(a.size, b.size),
			cmp.Compare(a.File, b.File),
		)
	})
}

func (f *linted) byHand() bool { return strings.HasPrefix(f.File, "files/hand/") }

func (f *linted) archive() bool { return strings.HasSuffix(f.Kind, "archive") }

// distractions counts the other rules that find something worse than notes.
func (f *linted) distractions(r *rules.Rule) int {
	n := 0
	for _, other := range catalogue.Default() {
		if other.ID != r.ID && f.fires[other.ID] > 0 && other.Severity > rules.Note {
			n++
		}
	}
	return n
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// example runs a rule over a file.
func example(r *rules.Rule, f *linted) (*docs.Example, error) {
	ex := &docs.Example{Rule: r.ID, File: f.path(), About: cmp.Or(flags[r.ID].about, f.About)}
	args := []string{"sframe-lint", "--select", r.ID}
	if f.RawAddress != "" {
		args = append(args, "--address", f.RawAddress)
	}
	if extra := flags[r.ID].flag; extra != "" {
		args = append(args, extra)
	}
	ex.Command = strings.Join(append(args, ex.File), " ")

	var out bytes.Buffer
	text := reports.NewText(&out, false)
	data, err := os.ReadFile(f.path())
	if err != nil {
		return nil, err
	}
	driver := &rules.Driver{Rules: []*rules.Rule{r}}
	err = f.scan(flags[r.ID].opts, func(o *reader.Object) error {
		all := driver.Run(o).Findings
		if len(all) > 0 && ex.Bytes == "" {
			ex.Bytes = annotate(data, o, &all[0])
		}
		return text.File(&reports.File{Path: ex.File, Objects: []reports.Object{{Findings: all}}})
	})
	if err = errors.Join(err, text.Close(reports.Summary{})); err != nil {
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
	ex.Output = strings.Join(lines, "")
	return ex, nil
}

func examplesJSON(examples map[string]*docs.Example) (string, error) {
	list := make([]*docs.Example, 0, len(examples))
	for _, r := range catalogue.Rules() {
		list = append(list, examples[r.ID])
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(list)
	return b.String(), err
}
