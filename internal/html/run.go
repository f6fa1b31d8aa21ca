package html

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/internal/execute"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// WriteRun writes a page on the execution of a program: what was executed and compared,
// and the mismatches by file and function, up to [MaxResults]. It returns the first error
// of the writer.
func WriteRun(w io.Writer, tool reports.Tool, r *execute.Report) error {
	out := bufio.NewWriter(w)
	p := &page{w: escape.NewWriter(out, escape.HTML), room: mostOpen}
	p.head(style, "", "sframe-lint: "+mistakes(r))
	p.printf("<header>\n<h1>SFrame data checked by execution</h1>\n")
	if len(r.Program) > 0 {
		p.printf("<p class=\"sum\"><code>%s</code></p>\n", text(commandLine(r.Program)))
	}
	p.printf("<p class=\"sum\">%s, executed by <a href=\"%s\" rel=\"noreferrer\">%s</a> %s</p>\n", text(r.ABI), text(tool.URL), text(tool.Name), text(tool.Version))
	if r.Exit != nil {
		p.printf("<p class=\"sum\">%s</p>\n", text(r.Exit.String()))
	}
	p.printf("</header>\n<main>\n")
	p.mismatches(r.Mismatches)
	p.executed(r.Files)
	p.steps(&r.Stats)
	p.printf("</main>\n</body>\n</html>\n")
	return cmp.Or(p.err, p.w.Close(), out.Flush())
}

// commandLine returns the words of a command, those with spaces in quotes.
func commandLine(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if quoted[i] = escape.Name(w); w == "" || strings.ContainsAny(w, " \t\n\"'") {
			quoted[i] = `"` + quoted[i] + `"`
		}
	}
	return strings.Join(quoted, " ")
}

func mistakes(r *execute.Report) string {
	if len(r.Mismatches) == 0 {
		return "no mismatches"
	}
	if n := len(r.Mismatches); n != 1 {
		return fmt.Sprintf("%d mismatches", n)
	}
	return "1 mismatch"
}

// mismatches writes the mismatches, which are in the order of their files and functions.
func (p *page) mismatches(all []*execute.Mismatch) {
	if len(all) == 0 {
		p.printf("<p class=\"none\">No mismatches.</p>\n")
		return
	}
	shown := all[:min(len(all), MaxResults)]
	if len(shown) < len(all) {
		p.printf("<div class=\"notes\" role=\"note\"><p>The page has %d of %d mismatches. The format json has all of them.</p></div>\n", len(shown), len(all))
	}
	p.printf("<section class=\"gravity error\"><h2>Mismatches</h2>\n")
	for len(shown) > 0 {
		m := shown[0]
		n := slices.IndexFunc(shown, func(x *execute.Mismatch) bool { return x.File != m.File || x.Start != m.Start })
		if n < 0 {
			n = len(shown)
		}
		p.mismatched(shown[:n])
		shown = shown[n:]
	}
	p.printf("</section>\n")
}

// mismatched writes the mismatches of a function.
func (p *page) mismatched(list []*execute.Mismatch) {
	m, level, steps := list[0], rules.Note, uint64(0)
	for _, x := range list {
		if x.Verdict != execute.VerdictCFI && x.Quirk == "" {
			level = rules.Error
		}
		steps += x.Steps
	}
	p.printf("<details class=\"group %s\"%s><summary><h3><span class=\"id\">%s</span> at 0x%x</h3><span class=\"count\">%d wrong in %d steps</span></summary>\n",
		level, p.opens(len(list)), text(cmp.Or(escape.Name(m.Function), "(no name)")), m.Start, len(list), steps)
	p.printf("<h4 class=\"path\">%s</h4>\n", text(escape.Name(m.File)))
	for _, x := range list {
		p.mismatch(x)
	}
	p.printf("</details>\n")
}

// mismatch writes what the row, the CFI and the execution have at the first step.
func (p *page) mismatch(m *execute.Mismatch) {
	level := rules.Error
	if m.Verdict == execute.VerdictCFI || m.Quirk != "" {
		level = rules.Note
	}
	row := fmt.Sprintf("FDE %d, FRE %d", m.FDE, m.FRE)
	if m.FRE < 0 {
		row = fmt.Sprintf("FDE %d, no FRE", m.FDE)
	}
	p.printf("<article class=\"finding %s\"><p class=\"message\"><span class=\"badge\">%s</span> %s</p>\n<p>Verdict: %s</p>\n",
		level, text(string(m.Verdict)), text(m.Fault()), text(m.Verdict.Text()))
	if m.Quirk != "" {
		p.printf("<p>A known quirk of %s</p>\n", text(escape.Message(m.Quirk)))
	}
	p.printf("<p class=\"at\">%s; PC 0x%x, function+0x%x; %d steps", text(row), m.PC, m.Offset, m.Steps)
	if m.Depth > 0 {
		p.printf("; frame %d of a backtrace", m.Depth)
	}
	p.printf("</p>\n<p class=\"at\"><code>%s</code></p>\n", text(escape.Message(m.Instruction)))
	p.answers(m)
	p.printf("<details class=\"more\"><summary>Registers</summary><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Registers\"><pre class=\"hex\">")
	for _, name := range slices.Sorted(maps.Keys(m.Registers)) {
		p.printf("%-8s %s\n", text(name), text(escape.Message(m.Registers[name])))
	}
	p.printf("</pre></div></details>\n</article>\n")
}

// answers writes the caller by each source, and marks what differs from the true one.
func (p *page) answers(m *execute.Mismatch) {
	sframe, cfi := &m.Have, (*execute.Caller)(nil)
	switch {
	case m.Verdict == execute.VerdictCFI:
		sframe, cfi = &m.Want, &m.Have
	case m.Verdict == execute.VerdictSFrame:
		cfi = &m.Want
	case m.Verdict == execute.VerdictBoth, m.CFI != "" && m.CFI == m.Row:
		cfi = &m.Have
	}
	p.printf("<div class=\"pair\"><div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"The caller\"><table class=\"said\"><caption>The caller</caption>\n<tr><th>Source<th>Rules<th>SP<th>PC<th>FP</tr>\n")
	p.answer("SFrame", cmp.Or(m.Row, "none"), sframe, &m.Want)
	p.answer("CFI", cmp.Or(m.CFI, "none"), cfi, &m.Want)
	p.answer("true", "", &m.Want, &m.Want)
	p.printf("</table></div></div>\n")
}

// answer writes a line of the table. Without a caller, what a source leads to was not
// recorded.
func (p *page) answer(source, rule string, c, want *execute.Caller) {
	class := ""
	if c != nil && !agree(c, want) {
		class = " class=\"differs\""
	}
	p.printf("<tr%s><th scope=\"row\">%s<td>%s", class, source, text(escape.Message(rule)))
	switch {
	case c == nil:
		p.printf("<td colspan=\"3\">not recorded</tr>\n")
	case c.Stop != "":
		p.printf("<td colspan=\"3\">%s</tr>\n", text(escape.Message(c.Stop)))
	default:
		for _, v := range []string{c.SP, c.PC, c.FP} {
			p.printf("<td><code>%s</code>", text(escape.Message(cmp.Or(v, "unknown"))))
		}
		p.printf("</tr>\n")
	}
}

// agree reports whether two callers are the same in what is known of both.
func agree(a, b *execute.Caller) bool {
	same := func(x, y string) bool { return x == y || x == "" || y == "" }
	return (a.Stop == "") == (b.Stop == "") && same(a.SP, b.SP) && same(a.PC, b.PC) && same(a.FP, b.FP)
}

// executed writes how much of each file was executed.
func (p *page) executed(files []execute.File) {
	p.printf("<details class=\"block\" id=\"files\" open><summary>Files</summary>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Files\"><table>\n<tr><th>File<th>Build ID<th>Functions executed<th>FREs compared</tr>\n")
	for i := range files {
		f := &files[i]
		p.printf("<tr><td>%s<td><code>%s</code><td>%s<td>%s</tr>\n", text(escape.Name(f.Path)), text(escape.Name(f.BuildID)), part(f.Functions, f.OfFDEs), part(f.Rows, f.OfFREs))
	}
	p.printf("</table></div></details>\n")
}

// part writes a share.
func part(n, of int) string {
	if of == 0 {
		return fmt.Sprintf("%d of 0", n)
	}
	return fmt.Sprintf("%d of %d (%.1f%%)", n, of, 100*float64(n)/float64(of))
}

// steps writes what became of the steps.
func (p *page) steps(s *execute.Stats) {
	p.printf("<details class=\"block\" id=\"steps\" open><summary>Steps</summary>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Steps\"><table>\n")
	for _, x := range []struct {
		what string
		n    uint64
	}{
		{"steps", s.Steps}, {"steps checked", s.Checked}, {"steps with a wrong FRE", s.Wrong}, {"steps without an FDE", s.NoFDE},
		{"steps without a known caller", s.NoCallers}, {"steps in transit", s.Transit}, {"steps with unknown memory", s.Unread},
		{"backtraces checked", s.Stacks}, {"further frames in them", s.Frames},
		{"threads", uint64(s.Threads)}, {"processes", uint64(s.Processes)},
	} {
		p.printf("<tr><th scope=\"row\">%s<td>%d</tr>\n", x.what, x.n)
	}
	p.printf("</table></div></details>\n")
}
