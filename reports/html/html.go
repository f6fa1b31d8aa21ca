package html

import (
	"bufio"
	"io"
	"maps"
	"slices"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// MaxResults is how many findings a page has. More would make browsers slow.
const MaxResults = 5000

// Renderer collects the findings of a run and writes the page at its end, since
// the page begins with a summary.
type Renderer struct {
	w     io.Writer
	tool  reports.Tool
	max   int
	files []file
	notes []string // on what could not be read, failed or was left out
}

// file has the findings of one path.
type file struct {
	path    string
	inputs  []lint.Input
	results []result
}

// result is a finding with the bytes around it.
type result struct {
	rules.Finding
	input   *lint.Input
	excerpt *lint.Excerpt
}

// New returns a renderer that writes a page.
func New(w io.Writer, tool reports.Tool) *Renderer {
	return &Renderer{w: w, tool: tool, max: MaxResults}
}

// File adds the results of a path.
func (r *Renderer) File(f *lint.File) error {
	out := file{path: f.Path}
	for i := range f.Objects {
		o := &f.Objects[i]
		in := o.Input
		out.inputs = append(out.inputs, in)
		for j := range o.Findings {
			x := result{Finding: o.Findings[j], input: &in}
			if e, ok := o.Excerpts[lint.ExcerptKeyOf(&x.Finding)]; ok {
				x.excerpt = &e
			}
			out.results = append(out.results, x)
		}
		r.note(o)
	}
	if f.Err != nil {
		r.notef("%s: %s", reports.Name(f.Path, ""), reports.Escape(f.Reason()))
	}
	r.files = append(r.files, out)
	return nil
}

// note collects what the findings alone do not show.
func (r *Renderer) note(o *lint.Object) {
	name := reports.Name(o.Input.Path, o.Input.Member)
	for _, x := range o.Failures {
		r.notef("%s: internal error in rule %s: %s", name, x.Rule, reports.Escape(x.Reason))
	}
	for _, g := range o.HiddenGaps() {
		r.notef("%s: %s", name, reports.NotRead(&o.Input, g))
	}
	for _, n := range o.NotChecked() {
		r.notef("%s: %s: %s", name, reports.NotChecked(&n), join(n.Rules))
	}
	for _, id := range slices.Sorted(maps.Keys(o.Cut)) {
		r.notef("%s: %d more findings of %s are not shown", name, o.Cut[id], id)
	}
}

// Close writes the page.
func (r *Renderer) Close(s lint.Summary) error {
	if dropped := r.limit(); dropped > 0 {
		r.notef("%d findings that are less severe or come later are not shown", dropped)
	}
	if s.Empty {
		r.notef("%s", reports.NothingChecked)
	}
	p := &page{w: bufio.NewWriter(r.w)}
	p.write(r, s)
	return p.w.Flush()
}

// limit drops the findings that exceed the limit of a page, the most severe ones
// last, and returns their number.
func (r *Renderer) limit() int {
	left, dropped := r.max, 0
	for _, severity := range []rules.Severity{rules.Error, rules.Warning, rules.Note} {
		for i := range r.files {
			f := &r.files[i]
			f.results = slices.DeleteFunc(f.results, func(x result) bool {
				if x.Severity != severity {
					return false
				}
				if left == 0 {
					dropped++
					return true
				}
				left--
				return false
			})
		}
	}
	return dropped
}
