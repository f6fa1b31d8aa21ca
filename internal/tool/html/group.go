package html

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// placed is a finding with its file.
type placed struct {
	*result
	file int // index in Renderer.files
}

// owner identifies the function that a finding is about.
type owner struct{ file, object, section, fde int }

func (x *placed) owner() owner { return owner{x.file, x.object, x.SectionIndex, x.FDE} }

// function returns the name of the function that a finding is about, "" for none.
func (x *placed) function() string {
	switch {
	case x.FDE < 0:
		return ""
	case x.Function == "":
		return fmt.Sprintf("FDE %d", x.FDE)
	}
	return escape.Name(x.Function)
}

// byGravity returns the findings in the order of the page: the most severe first, then by
// rule, file and function.
func (r *Renderer) byGravity() []placed {
	all := make([]placed, 0, r.held)
	for i := range r.files {
		for j := range r.files[i].results {
			all = append(all, placed{&r.files[i].results[j], i})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		return cmp.Or(-cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Rule.ID, b.Rule.ID), cmp.Compare(a.file, b.file),
			cmp.Compare(a.object, b.object), cmp.Compare(a.SectionIndex, b.SectionIndex), cmp.Compare(a.FDE, b.FDE))
	})
	return all
}

const (
	// mostOpen is the number of findings that are open from the start. A page with more of them
	// shows no bytes and frames from the start.
	mostOpen = 20
	// mostLines is the number of entries of a list that are shown. The others are folded, as many
	// in each fold.
	mostLines = 50
)

// opens returns the attribute of an element that has n findings. Elements are open from the
// start until there is no room.
func (p *page) opens(n int) string {
	if n > p.room {
		return state(false)
	}
	p.room -= n
	return state(true)
}

// state returns the attribute of an element that can be open.
func state(open bool) string {
	if open {
		return " open"
	}
	return ""
}

// split returns the runs of findings that are the same in a way.
func split(all []placed, same func(a, b *placed) bool) (parts [][]placed) {
	for len(all) > 0 {
		n := 1
		for n < len(all) && same(&all[0], &all[n]) {
			n++
		}
		parts, all = append(parts, all[:n]), all[n:]
	}
	return parts
}

// list writes the entries of a list. Those beyond mostLines are in folds.
func (p *page) list(n int, what string, entry func(i int)) {
	for i := range n {
		if i > 0 && i%mostLines == 0 {
			if i > mostLines {
				p.printf("</details>\n")
			}
			p.printf("<details class=\"rest\"><summary>%s %d to %d of %d</summary>\n", what, i+1, min(i+mostLines, n), n)
		}
		entry(i)
	}
	if n > mostLines {
		p.printf("</details>\n")
	}
}

// findings writes all findings, and after the errors what was not checked.
func (p *page) findings(r *Renderer, all []placed) {
	p.open, p.room = len(all) <= mostOpen, mostOpen
	noted := false
	for _, part := range split(all, func(a, b *placed) bool { return a.Severity == b.Severity }) {
		level := part[0].Severity
		if level != rules.Error && !noted {
			p.notChecked(r)
			noted = true
		}
		p.printf("<section class=\"gravity %s\" data-level=\"%s\">\n<h2>%s</h2>\n", level, level, heading(len(part), r, level))
		for _, group := range split(part, func(a, b *placed) bool { return a.Rule.ID == b.Rule.ID }) {
			p.group(r, group)
		}
		p.printf("</section>\n")
	}
	if !noted {
		p.notChecked(r)
	}
}

// heading counts the findings of a severity that the page has, and all if it has not all.
func heading(n int, r *Renderer, level rules.Severity) string {
	for _, x := range r.totals.counts() {
		if x.severity == level && x.n > n {
			return fmt.Sprintf("%d of %s", n, rules.Count(x.n, level.String()))
		}
	}
	return rules.Count(n, level.String())
}

// groupID is where a page has the findings of a rule with one severity.
func groupID(x *placed) string { return x.Severity.String() + "-" + x.Rule.ID }

// group writes the findings of a rule with one severity.
func (p *page) group(r *Renderer, all []placed) {
	x := &all[0]
	files := len(split(all, func(a, b *placed) bool { return a.file == b.file }))
	p.printf("<details class=\"group\" id=\"%s\"%s data-rule=\"%s\">\n", groupID(x), p.opens(len(all)), x.Rule.ID)
	p.printf("<summary><h3><span class=\"badge %s\">%s</span> <span class=\"id\">%s</span> <span class=\"title\">%s</span></h3> <span class=\"count\">%d in %s</span></summary>\n",
		x.Severity, x.Severity, x.Rule.ID, x.Rule.Title, len(all), rules.Count(files, "file"))
	p.writeRule(x.Rule)
	inputs := split(all, func(a, b *placed) bool { return a.file == b.file && a.object == b.object })
	few := len(all) <= mostOpen
	p.list(len(inputs), "Inputs", func(i int) { p.input(r, inputs[i], few, few || len(inputs) == 1) })
	p.printf("</details>\n")
}

// input writes the findings of a rule in an input. If they are many, they are folded by
// function.
func (p *page) input(r *Renderer, all []placed, few, open bool) {
	x := &all[0]
	functions := split(all, func(a, b *placed) bool { return a.FDE >= 0 && a.owner() == b.owner() })
	count, what := rules.Count(len(all), "finding"), "Findings"
	if x.FDE >= 0 && len(functions) > 1 {
		count, what = fmt.Sprintf("%d in %s", len(all), rules.Count(len(functions), "function")), "Functions"
	}
	p.printf("<details class=\"file\" data-file=\"%d\"%s><summary><h4 class=\"path\">%s</h4> <span class=\"count\">%s</span></summary>\n",
		x.file, state(open), reports.Name(r.files[x.file].path, x.Member), count)
	if few || len(functions) == 1 {
		p.list(len(all), "Findings", func(i int) { p.finding(all[i].result) })
	} else {
		p.list(len(functions), what, func(i int) { p.function(functions[i]) })
	}
	p.printf("</details>\n")
}

// function writes the findings of a rule in a function.
func (p *page) function(all []placed) {
	x := &all[0]
	if x.FDE < 0 {
		p.finding(x.result)
		return
	}
	p.printf("<details class=\"function\"><summary><span class=\"name\">%s</span> <span class=\"peek\" aria-hidden=\"true\">%s</span> <span class=\"count\">%s</span></summary>\n",
		x.function(), escape.Printable(escape.Cut(x.Message, mostPeek)), rules.Count(len(all), "finding"))
	for i := range all {
		p.finding(all[i].result)
	}
	p.printf("</details>\n")
}

// mostPeek is the number of bytes of a message beside the name of a folded function.
const mostPeek = 160
