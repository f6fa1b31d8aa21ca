package html

import (
	"bufio"
	"io"
	"slices"

	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// MaxResults is how many findings a page holds. Browsers become slow with
// more.
const MaxResults = 5000

// Renderer gathers the findings of a run. The page is written at its end:
// its top sums them up.
type Renderer struct {
	w     io.Writer
	tool  reports.Tool
	max   int
	files []file
	notes []string // what could not be read, what failed, what was left out
}

// file is what was found in one path.
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

// File adds what has come of a path.
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

// note gathers what a reader of the findings alone would not know.
func (r *Renderer) note(o *lint.Object) {
	name := reports.Name(o.Input.Path, o.Input.Member)
	for _, x := range o.Failures {
		r.notef("%s: internal error in rule %s: %s", name, x.Rule, reports.Escape(x.Reason))
	}
	if o.Unread() {
		r.notef("%s: damaged: %s", name, reports.Escape(o.Input.Detail))
	}
	for _, n := range o.NotChecked() {
		r.notef("%s: %s: %s", name, reports.NotChecked(&n), join(n.Rules))
	}
	cut := make([]string, 0, len(o.Cut))
	for id := range o.Cut {
		cut = append(cut, id)
	}
	slices.Sort(cut)
	for _, id := range cut {
		r.notef("%s: %d more findings of %s are not shown", name, o.Cut[id], id)
	}
}

// Close writes the page.
func (r *Renderer) Close(s lint.Summary) error {
	if dropped := r.limit(); dropped > 0 {
		r.notef("%d findings of lower severity or further back are not shown", dropped)
	}
	p := &page{w: bufio.NewWriter(r.w)}
	p.write(r, s)
	return p.w.Flush()
}

// limit drops what is too much for a page, the gravest last, and returns how
// much that was.
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
