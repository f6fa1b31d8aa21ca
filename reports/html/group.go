package html

import (
	"cmp"
	"slices"

	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// placed is a finding with its file.
type placed struct {
	*result
	file int // index in Renderer.files
}

// byGravity returns the findings in the order of the page: the gravest first, then by
// rule and file.
func (r *Renderer) byGravity() []placed {
	all := make([]placed, 0, r.held)
	for i := range r.files {
		for j := range r.files[i].results {
			all = append(all, placed{&r.files[i].results[j], i})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		return cmp.Or(-cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Rule.ID, b.Rule.ID), cmp.Compare(a.file, b.file))
	})
	return all
}

// findings writes all findings.
func (p *page) findings(r *Renderer) {
	all := r.byGravity()
	p.open = len(all) <= mostOpen
	for len(all) > 0 {
		n := run(all, func(a, b placed) bool { return a.Severity == b.Severity })
		level := all[0].Severity
		p.printf("<section class=\"gravity %s\" data-level=\"%s\">\n<h2>%s</h2>\n", level, level, text(rules.Count(n, level.String())))
		for group := all[:n]; len(group) > 0; {
			k := run(group, func(a, b placed) bool { return a.Rule.ID == b.Rule.ID })
			p.group(r, group[:k])
			group = group[k:]
		}
		p.printf("</section>\n")
		all = all[n:]
	}
}

// mostOpen is how many findings are shown with their bytes and frames from the start.
const mostOpen = 20

// run returns how many findings at the start are the same in a way.
func run(all []placed, same func(a, b placed) bool) int {
	n := 1
	for n < len(all) && same(all[0], all[n]) {
		n++
	}
	return n
}

// group writes the findings of a rule with one severity.
func (p *page) group(r *Renderer, all []placed) {
	x := &all[0]
	files := 1
	for i := range all[1:] {
		if all[i].file != all[i+1].file {
			files++
		}
	}
	p.printf("<details class=\"group\" id=\"%s-%s\" open data-rule=\"%s\">\n", x.Severity, text(x.Rule.ID), text(x.Rule.ID))
	p.printf("<summary><h3><span class=\"badge %s\">%s</span> <span class=\"id\">%s</span> <span class=\"title\">%s</span></h3> <span class=\"count\">%d in %s</span></summary>\n",
		x.Severity, x.Severity, text(x.Rule.ID), text(x.Rule.Title), len(all), rules.Count(files, "file"))
	p.about(x.Rule)
	for len(all) > 0 {
		n := run(all, func(a, b placed) bool { return a.file == b.file && a.Member == b.Member })
		p.printf("<section class=\"file\" data-file=\"%d\">\n<h4 class=\"path\">%s</h4>\n", all[0].file, text(reports.Name(r.files[all[0].file].path, all[0].Member)))
		for i := range all[:n] {
			p.finding(all[i].result)
		}
		p.printf("</section>\n")
		all = all[n:]
	}
	p.printf("</details>\n")
}
