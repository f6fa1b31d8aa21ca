package html

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/base/spool"
	"github.com/sframe-lint/sframe-lint/lint"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// The styles and the script of a report. It shares its base with the page of a section.
var (
	//go:embed base.css
	baseStyle string
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	script string

	style = baseStyle + pageStyle
)

// page writes HTML.
type page struct {
	w    *escape.Writer
	err  error // the first one
	next int   // number of the next finding
	open bool  // findings are shown with their bytes and frames
	room int   // how many further findings are open from the start
	// explained are the rules whose text has been written.
	explained map[string]bool
}

func (r *Renderer) notef(format string, args ...any) {
	r.hold(&r.notes, markf("<li>%s</li>", fmt.Sprintf(format, args...)))
}

// hold keeps a line of the page for its end.
func (r *Renderer) hold(list *spool.Spool, line markup) {
	if r.Other(len(line)) && !list.Add([]byte(line)) {
		r.Full()
	}
}

func join(list []string) string { return strings.Join(list, ", ") }

// markup is HTML. All other strings that are formatted are text.
type markup string

func markf(format string, args ...any) markup { return markup(fmt.Sprintf(format, safe(args)...)) }

// safe makes the strings of a list safe.
func safe(args []any) []any {
	for i, x := range args {
		if s, ok := x.(string); ok {
			args[i] = text(s)
		}
	}
	return args
}

// fragment is a part of a page.
type fragment struct{ strings.Builder }

func (b *fragment) printf(format string, args ...any) { b.WriteString(string(markf(format, args...))) }
func (b *fragment) html() markup                      { return markup(b.String()) }

// text makes a string safe between tags and in quoted attributes.
func text(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 {
			return '\ufffd'
		}
		return r
	}, reports.ValidUTF8(s)))
}

func (p *page) printf(format string, args ...any) {
	_, err := fmt.Fprintf(p.w, format, safe(args)...)
	p.note(err)
}

// raw writes a part of the page that the page's policy names by its hash.
func (p *page) raw(s string) { p.note(p.w.Raw(s)) }

func (p *page) note(err error) {
	if p.err == nil {
		p.err = err
	}
}

// writeLines writes lines.
func (p *page) writeLines(list *spool.Spool) {
	p.note(list.Each(func(line []byte) { p.printf("%s\n", line) }))
}

// hash names a script or style in the page's policy.
func hash(s string) markup {
	if s == "" {
		return "'none'"
	}
	sum := sha256.Sum256([]byte(s))
	return markup("'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
}

func (p *page) write(r *Renderer, s lint.Summary) {
	p.head(style, script, title(s))
	p.top(r, s)
	p.printf("<main>\n")
	all := r.byGravity()
	p.overview(r, s, all)
	if len(all) > 0 {
		p.filter(r)
	}
	p.findings(r, all)
	p.printf("<p id=\"nothing\" class=\"none\" hidden>Nothing matches.</p>\n")
	p.coverage(&r.covered)
	p.inputs(r)
	p.printf("</main>\n<script>")
	p.raw(script)
	p.printf("</script>\n</body>\n</html>\n")
}

func title(s lint.Summary) string {
	if s.AtLeast(rules.Note) == 0 {
		return "sframe-lint: no findings"
	}
	return fmt.Sprintf("sframe-lint: %s, %s, %s", rules.Count(s.Errors, "error"), rules.Count(s.Warnings, "warning"), rules.Count(s.Notes, "note"))
}

// top writes the summary.
func (p *page) top(r *Renderer, s lint.Summary) {
	p.printf("<header>\n<h1>SFrame report</h1>\n<p class=\"sum\">%s checked by <a href=\"%s\" rel=\"noreferrer\">%s</a> %s</p>\n",
		rules.Count(s.Files, "file"), r.tool.URL, r.tool.Name, r.tool.Version)
	if more := hiddenText(s); more != "" {
		p.printf("<p class=\"sum\">%s</p>\n", more)
	}
	if s.Configuration != nil {
		p.printf("<p class=\"sum\">%s</p>\n", reports.Configuration(s.Configuration))
	}
	p.printf("</header>\n")
}

// notChecked writes what the findings do not show.
func (p *page) notChecked(r *Renderer) {
	out := r.LeftOut()
	if r.notes.Len() == 0 && out == nil {
		return
	}
	p.printf("<div class=\"notes\" id=\"unchecked\" role=\"note\"><h2>Not everything was checked or is shown</h2>\n")
	if out != nil {
		p.printf("<p>%s</p>\n", out.Error())
	}
	if n := r.notes.Len(); n > 0 {
		p.printf("<details id=\"notes\"%s><summary>%s</summary><ul>\n", state(n <= mostNotes), rules.Count(n, "note"))
		p.writeLines(&r.notes)
		p.printf("</ul></details>\n")
	}
	p.printf("</div>\n")
}

// mostNotes is the number of notes that are shown from the start: more would stand between the
// findings.
const mostNotes = 3

// filter writes the controls of the filter. They are shown only if the script runs.
func (p *page) filter(r *Renderer) {
	p.printf("<form id=\"filter\" class=\"filter\" role=\"search\" aria-label=\"Filter\">\n<div class=\"levels\" role=\"group\" aria-label=\"Severities\">\n")
	for _, x := range r.totals.counts() {
		p.printf("<label class=\"level %s\"><input type=\"checkbox\" name=\"level\" value=\"%s\" checked> %s</label>\n",
			x.severity, x.severity, rules.Count(x.n, x.severity.String()))
	}
	p.printf("</div>\n<select name=\"rule\" aria-label=\"Rule\"><option value=\"\">All rules</option>\n")
	seen, n := r.rulesFound()
	for _, x := range seen {
		p.printf("<option value=\"%s\">%s (%d) %s</option>\n", x.ID, x.ID, n[x.ID], x.Title)
	}
	p.printf("</select>\n")
	if len(r.files) > 1 && len(r.files) <= mostChoices {
		p.printf("<select name=\"file\" aria-label=\"File\"><option value=\"\">All files</option>\n")
		for i := range r.files {
			p.printf("<option value=\"%d\">%s (%d)</option>\n", i, reports.Escape(r.files[i].path), len(r.files[i].results))
		}
		p.printf("</select>\n")
	}
	p.printf("<input type=\"search\" name=\"text\" placeholder=\"Filter by text\" aria-label=\"Text\" autocomplete=\"off\">\n")
	p.printf("<output name=\"shown\"></output>\n<button type=\"button\" name=\"everything\" hidden>Show all</button>\n</form>\n")
}

// mostChoices is the number of files that the control for files lists. The text filter finds those
// of a larger run.
const mostChoices = 200

// hiddenText counts the findings that are not in the report.
func hiddenText(s lint.Summary) string {
	var more []string
	if s.Fixed > 0 {
		more = append(more, rules.Count(s.Fixed, "finding")+" fixed")
	}
	if n := s.Tally[lint.ByBaseline]; n > 0 {
		more = append(more, fmt.Sprintf("%d in the baseline", n))
	}
	if n := s.Tally[lint.ByException]; n > 0 {
		more = append(more, fmt.Sprintf("%d excused", n))
	}
	if n := s.LessSevere(); n > 0 {
		more = append(more, fmt.Sprintf("%d less severe than --show", n))
	}
	if len(more) == 0 {
		return ""
	}
	return "Not shown: " + join(more) + "."
}

// rulesFound returns the rules that have findings, by ID, and the number of each.
func (r *Renderer) rulesFound() (seen []*rules.Rule, n map[string]int) {
	n = map[string]int{}
	for i := range r.files {
		for j := range r.files[i].results {
			x := r.files[i].results[j].Rule
			if n[x.ID] == 0 {
				seen = append(seen, x)
			}
			n[x.ID]++
		}
	}
	slices.SortFunc(seen, func(a, b *rules.Rule) int { return strings.Compare(a.ID, b.ID) })
	return seen, n
}

// keepInput keeps the row of an input.
func (r *Renderer) keepInput(in *lint.Input) {
	row := markf("<tr><td>%s<td>%s", reports.Name(in.Path, in.Member), string(in.Status))
	if in.ABI == "" {
		r.hold(&r.inputs, markf("%s<td colspan=\"5\">%s</tr>", row, escape.Message(in.Detail)))
		return
	}
	r.hold(&r.inputs, markf("%s<td>%s<td>%s %s<td>%d<td>%d<td>%d</tr>", row, in.Version, in.ABI, model.OrderName(in.BigEndian), in.FDEs, in.FREs, in.Bytes))
}

// inputs lists the result of every input.
func (p *page) inputs(r *Renderer) {
	p.printf("<details class=\"block\" id=\"inputs\"><summary><h2>Inputs</h2></summary>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Inputs\"><table>\n<tr><th>Input<th>Status<th>Version<th>ABI<th>FDEs<th>FREs<th>Bytes</tr>\n")
	p.writeLines(&r.inputs)
	p.printf("</table></div></details>\n")
}
