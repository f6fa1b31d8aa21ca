// Package html renders findings as one self-contained page. The page loads no script, style, font or image, and its
// policy forbids loading any.
package html

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/spool"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// MaxResults is the maximum number of findings in a page. More would make browsers slow.
const MaxResults = 5000

// Renderer writes the page at the end, as it begins with a summary. It keeps the findings to show in memory, and
// everything else compressed.
type Renderer struct {
	reports.Meter
	w       io.Writer
	tool    reports.Tool
	max     int
	files   []pathFindings // those with findings
	held    int            // findings
	dropped int            // findings
	notes   spool.Spool    // on what could not be read, failed or was left out
	inputs  spool.Spool    // rows of a table
	covered covered
	totals  totals
	paths   int // so far
}

// pathFindings has the findings of one path.
type pathFindings struct {
	path    string
	results []result
}

// result is a finding with what the page shows of it.
type result struct {
	rules.Finding     // without its fixes
	object        int // index in lint.File.Objects
	fixes         markup
}

// New returns a renderer that writes a page.
func New(w io.Writer, tool reports.Tool) *Renderer {
	return &Renderer{w: w, tool: tool, max: MaxResults}
}

// File adds the results of a path.
func (r *Renderer) File(f *lint.File) error {
	r.files = append(r.files, pathFindings{path: f.Path})
	r.paths++
	for i := range f.Objects {
		o := &f.Objects[i]
		for j := range o.Findings {
			r.add(&o.Findings[j], o, i)
		}
		r.totals.object(o, r.paths)
		r.keepInput(&o.Input)
		covered, _ := o.Coverage.(*coverage.File)
		r.cover(covered)
		r.note(o)
	}
	if f.Err != nil {
		r.notef("%s: %s", reports.Name(f.Path, ""), escape.Message(f.Reason()))
	}
	if n := len(r.files) - 1; len(r.files[n].results) == 0 {
		r.files = r.files[:n]
	}
	return nil
}

// add keeps a finding of the last file. Now and then it drops those that exceed the
// limit of the page.
func (r *Renderer) add(f *rules.Finding, o *lint.Object, index int) {
	x := result{Finding: *f, object: index, fixes: fixes(f, o.Input.File)}
	x.Message, x.Fixes = escape.Cut(x.Message, escape.MaxMessage), nil
	size := perFinding + len(x.Message) + len(x.Help) + len(x.fixes)
	if x.hasFrame() {
		size += perFrame
	}
	if !r.Finding(size) {
		return
	}
	last := &r.files[len(r.files)-1]
	last.results = append(last.results, x)
	if r.held++; r.held >= 2*r.max {
		r.limit()
	}
}

// perFinding is about how many bytes of the page a finding takes, besides its message
// and its fixes.
const perFinding = 1 << 10

// perFrame is about how many bytes of the page the picture of a frame takes.
const perFrame = 2 << 10

// note collects what the findings do not show.
func (r *Renderer) note(o *lint.Object) {
	name := reports.Name(o.Input.Path, o.Input.Member)
	for _, x := range o.Failures {
		r.notef("%s: internal error in rule %s: %s", name, x.Rule, escape.Message(x.Reason))
	}
	for _, g := range o.HiddenGaps() {
		r.notef("%s: %s", name, reports.NotRead(&o.Input, g))
	}
	for _, n := range o.NotChecked() {
		r.notef("%s: %s: %s", name, reports.NotChecked(&n), listSome(n.Rules))
	}
	for _, id := range slices.Sorted(maps.Keys(o.Cut)) {
		r.notef("%s: %s of %s not shown", name, rules.Count(o.Cut[id], "more finding"), id)
	}
}

// listSome lists the first rules.
func listSome(ids []string) string {
	const most = 10
	if len(ids) <= most+1 {
		return join(ids)
	}
	return fmt.Sprintf("%s and %d more", join(ids[:most]), len(ids)-most)
}

// Close writes the page.
func (r *Renderer) Close(s lint.Summary) error {
	if r.limit(); r.dropped > 0 {
		r.notef("%d findings that are less severe or come later are not shown", r.dropped)
	}
	if text := reports.Nothing(&s); text != "" {
		r.notef("%s", text)
	}
	out := bufio.NewWriter(r.w)
	p := &page{w: escape.NewWriter(out, escape.HTML), explained: map[string]bool{}}
	p.write(r, s)
	if err := out.Flush(); p.err == nil {
		p.err = err
	}
	return r.Done(p.err)
}

// limit drops the findings that exceed the limit of a page, the most severe ones last. Of
// one severity, it drops those of the rules with most findings, so that each rule has some.
func (r *Renderer) limit() {
	left := r.max
	for _, severity := range []rules.Severity{rules.Error, rules.Warning, rules.Note} {
		keep := r.shares(severity, left)
		for i := range r.files {
			f := &r.files[i]
			f.results = slices.DeleteFunc(f.results, func(x result) bool {
				if x.Severity != severity {
					return false
				}
				if keep[x.Rule.ID] == 0 {
					r.dropped++
					r.held--
					return true
				}
				keep[x.Rule.ID]--
				left--
				return false
			})
		}
	}
	for i := range r.files { // a file that keeps one of many results gives the memory of the others back
		r.files[i].results = slices.Clone(r.files[i].results)
	}
	// The last file is the one that findings are added to.
	n := len(r.files)
	r.files = slices.DeleteFunc(r.files, func(f pathFindings) bool { n--; return n > 0 && len(f.results) == 0 })
}

// shares returns how many findings of each rule are kept, in all at most left.
func (r *Renderer) shares(severity rules.Severity, left int) map[string]int {
	n := map[string]int{}
	for i := range r.files {
		for j := range r.files[i].results {
			if x := &r.files[i].results[j]; x.Severity == severity {
				n[x.Rule.ID]++
			}
		}
	}
	ids := slices.SortedFunc(maps.Keys(n), func(a, b string) int { return cmp.Or(cmp.Compare(n[a], n[b]), cmp.Compare(a, b)) })
	for i, id := range ids {
		n[id] = min(n[id], left/(len(ids)-i))
		left -= n[id]
	}
	return n
}
