package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// totals counts what was checked and found, with the findings that the page leaves out.
type totals struct {
	files      tally // all findings
	fdes, fres int
	without    int // inputs without SFrame data
	damaged    int // inputs
	byRule     map[ruled]*tally
}

// ruled is a rule with a severity.
type ruled struct {
	id       string
	severity rules.Severity
}

// tally counts findings and the paths that have them.
type tally struct {
	rule            *rules.Rule
	findings, files int
	last            int // number of the last path with a finding
}

func (t *tally) add(file int) {
	if t.findings++; t.last != file {
		t.files, t.last = t.files+1, file
	}
}

// object counts an input of a path, whose number begins at 1.
func (c *totals) object(o *lint.Object, file int) {
	if c.byRule == nil {
		c.byRule = map[ruled]*tally{}
	}
	c.fdes += o.Input.FDEs
	c.fres += o.Input.FREs
	switch o.Input.Status {
	case reader.StatusNoSFrame, reader.StatusEmpty:
		c.without++
	case reader.StatusDamaged:
		c.damaged++
	}
	for i := range o.Findings {
		x := &o.Findings[i]
		t := c.byRule[ruled{x.Rule.ID, x.Severity}]
		if t == nil {
			t = &tally{rule: x.Rule}
			c.byRule[ruled{x.Rule.ID, x.Severity}] = t
		}
		t.add(file)
		c.files.add(file)
	}
}

// rules returns the rules with findings: the most severe first, then those with most findings.
func (c *totals) rules() []ruled {
	all := make([]ruled, 0, len(c.byRule))
	for x := range c.byRule {
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b ruled) int {
		return cmp.Or(cmp.Compare(b.severity, a.severity), cmp.Compare(c.byRule[b].findings, c.byRule[a].findings), cmp.Compare(a.id, b.id))
	})
	return all
}

// overview writes what was checked and found in a screenful. all are the findings in the
// order of the page.
func (p *page) overview(r *Renderer, s lint.Summary, all []placed) {
	c := &r.totals
	p.printf("<section class=\"block overview\" id=\"overview\" aria-labelledby=\"h-overview\">\n<h2 id=\"h-overview\">Overview</h2>\n")
	p.verdict(r, s)
	p.printf("<p>%s</p>\n", c.inputs(s))
	if n := r.notes.Len(); n > 0 || r.LeftOut() != nil {
		p.printf("<p><a href=\"#unchecked\">Not everything was checked or is shown</a></p>\n")
	}
	p.totalCoverage(&r.covered)
	p.ruleTable(c, all)
	p.functionTable(r, all)
	p.printf("</section>\n")
}

// verdict writes how many findings there are.
func (p *page) verdict(r *Renderer, s lint.Summary) {
	p.printf("<p class=\"verdict\">")
	switch {
	case r.totals.files.findings > 0:
		for _, x := range r.totals.counts() {
			p.printf("<span class=\"badge %s\">%s</span> ", x.severity, rules.Count(x.n, x.severity.String()))
		}
		p.printf("in %d of %s", r.totals.files.files, rules.Count(s.Files, "file"))
	case s.Sections == 0:
		p.printf("No findings, as there is no SFrame data.")
	case r.notes.Len() > 0:
		p.printf("No findings in what was checked.")
	default:
		p.printf("No findings.")
	}
	p.printf("</p>\n")
}

// inputs says in a sentence what was checked.
func (c *totals) inputs(s lint.Summary) string {
	parts := []string{fmt.Sprintf("%s with %s and %s", rules.Count(s.Sections, "section"), rules.Count(c.fdes, "FDE"), rules.Count(c.fres, "FRE"))}
	if c.without > 0 {
		parts = append(parts, rules.Count(c.without, "input")+" without SFrame data")
	}
	if c.damaged > 0 {
		parts = append(parts, rules.Count(c.damaged, "damaged input"))
	}
	return strings.Join(parts, "; ") + "."
}

// severityCount is a number of findings.
type severityCount struct {
	severity rules.Severity
	n        int
}

// counts returns how many findings there are of each severity that has some.
func (c *totals) counts() (all []severityCount) {
	for _, x := range c.rules() {
		if n := len(all); n == 0 || all[n-1].severity != x.severity {
			all = append(all, severityCount{x.severity, 0})
		}
		all[len(all)-1].n += c.byRule[x].findings
	}
	return all
}

// totalCoverage writes the coverage of all inputs as a bar, with the reasons that occur.
func (p *page) totalCoverage(c *covered) {
	if c.files == 0 {
		return
	}
	var missing []coverage.Reason
	for _, w := range whys {
		if n := c.missing[w]; n > 0 {
			missing = append(missing, coverage.Reason{Reason: w, Bytes: n})
		}
	}
	p.printf("<h3>Coverage</h3>\n<p>FDEs cover %s. <a href=\"#coverage\">By input</a></p>\n%s\n", c.total.String(), shares(c.total.CoveredBytes, missing))
	p.printf("<ul class=\"legend\">%s", key("covered", "covered", c.total.CoveredBytes))
	for _, m := range missing {
		p.printf("%s", key(string(m.Reason), m.Reason.Text(), m.Bytes))
	}
	p.printf("</ul>\n")
}

// key returns an entry of a legend with its bytes.
func key(class, name string, n uint64) markup {
	return markf("<li><svg class=\"key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"%s\" width=\"10\" height=\"10\"/></svg> %s: %s</li>\n",
		class, name, rules.Count(int(n), "byte"))
}

// mostRows is the number of rows of a table of the overview that are shown, and mostFunctions how
// many functions it has with those that are folded.
const mostRows, mostFunctions = 10, 100

// table writes rows. Those beyond mostRows are folded.
func (p *page) table(name string, head markup, n int, row func(i int)) {
	begin := func(label string) {
		p.printf("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"%s\"><table>\n<tr>%s</tr>\n", label, head)
	}
	begin(name)
	for i := range n {
		if i == mostRows {
			p.printf("</table></div>\n<details class=\"rest\"><summary>%s %d to %d</summary>\n", name, i+1, n)
			begin("More of " + name)
		}
		row(i)
	}
	p.printf("</table></div>\n")
	if n > mostRows {
		p.printf("</details>\n")
	}
}

// ruleTable writes how many findings each rule has.
func (p *page) ruleTable(c *totals, all []placed) {
	found := c.rules()
	if len(found) == 0 {
		return
	}
	here := map[ruled]string{}
	for i := range all {
		here[ruled{all[i].Rule.ID, all[i].Severity}] = groupID(&all[i])
	}
	p.printf("<h3>Rules</h3>\n")
	p.table("Rules", "<th scope=\"col\">Rule<th scope=\"col\" class=\"n\">Findings<th scope=\"col\" class=\"n\">Files", len(found), func(i int) {
		x, t := found[i], c.byRule[found[i]]
		name := markf("%s", x.id)
		if id := here[x]; id != "" {
			name = markf("<a href=\"#%s\">%s</a>", id, name)
		}
		p.printf("<tr><td><span class=\"badge %s\">%s</span> %s %s<td class=\"n\">%d<td class=\"n\">%d</tr>\n",
			x.severity, x.severity, name, t.rule.Title, t.findings, t.files)
	})
}

// affected is a function with findings.
type affected struct {
	first *placed
	at    int                  // number of the first finding
	n     [rules.Error + 1]int // findings by severity
	ids   []string             // of rules
}

// functions returns the functions that findings are about, those with the most severe and most
// findings first.
func functions(all []placed) []*affected {
	var list []*affected
	by := map[owner]*affected{}
	for i := range all {
		x := &all[i]
		if x.FDE < 0 {
			continue
		}
		a := by[x.owner()]
		if a == nil {
			a = &affected{first: x, at: i + 1}
			by[x.owner()] = a
			list = append(list, a)
		}
		a.n[x.Severity]++
		if !slices.Contains(a.ids, x.Rule.ID) {
			a.ids = append(a.ids, x.Rule.ID)
		}
	}
	slices.SortStableFunc(list, func(a, b *affected) int {
		return cmp.Or(b.n[rules.Error]-a.n[rules.Error], b.n[rules.Warning]-a.n[rules.Warning], b.n[rules.Note]-a.n[rules.Note])
	})
	return list
}

// functionTable writes which functions have most findings.
func (p *page) functionTable(r *Renderer, all []placed) {
	list := functions(all)
	if len(list) == 0 {
		return
	}
	var levels []rules.Severity
	head := markup("<th scope=\"col\">Function")
	for _, level := range []rules.Severity{rules.Error, rules.Warning, rules.Note} {
		if slices.ContainsFunc(list, func(a *affected) bool { return a.n[level] > 0 }) {
			levels = append(levels, level)
			head += markf("<th scope=\"col\" class=\"n\">%ss", strings.ToUpper(level.String()[:1])+level.String()[1:])
		}
	}
	p.printf("<h3>Functions</h3>\n")
	p.table("Functions", head+"<th scope=\"col\">Rules", min(len(list), mostFunctions), func(i int) {
		a := list[i]
		p.printf("<tr><td><a href=\"#f%d\">%s</a> <span class=\"at\">%s</span>", a.at, a.first.function(),
			reports.Name(r.files[a.first.file].path, a.first.Member))
		for _, level := range levels {
			p.printf("<td class=\"n\">%d", a.n[level])
		}
		p.printf("<td>%s</tr>\n", listSome(a.ids))
	})
	if more := len(list) - mostFunctions; more > 0 {
		p.printf("<p class=\"at\">and %s</p>\n", rules.Count(more, "more function"))
	}
	if r.dropped > 0 {
		p.printf("<p class=\"at\">This table counts the findings on this page.</p>\n")
	}
}
