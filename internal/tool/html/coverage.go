package html

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/internal/evidence/coverage"
	"github.com/sframe-lint/sframe-lint/rules"
)

// MaxGaps is the maximum number of uncovered sections and functions listed for a file. maxCovered is the maximum
// number of inputs:
const MaxGaps, maxCovered = 10, 100

// mostOpenCovered is the number of inputs that have their coverage shown from the start. The overview
// has that of a single one.
const mostOpenCovered = 5

// covered has the coverage of the inputs.
type covered struct {
	total coverage.Share
	files int
	// missing are the bytes that are not covered, by reason.
	missing map[coverage.Why]uint64
	worst   []coveredInput // up to twice maxCovered
}

// coveredInput is what the page shows of an input.
type coveredInput struct {
	missing uint64 // bytes
	html    markup
}

// cover adds the coverage of an input that has code.
func (r *Renderer) cover(f *coverage.File) {
	if f == nil || f.Functions == 0 && len(f.Missing) == 0 {
		return
	}
	c := &r.covered
	c.files++
	c.total = c.total.Plus(f.Share)
	if c.missing == nil {
		c.missing = map[coverage.Why]uint64{}
	}
	for _, m := range f.Missing {
		c.missing[m.Reason] += m.Bytes
	}
	x := coveredInput{f.Bytes - f.CoveredBytes, coverageOf(f)}
	if !r.Other(len(x.html)) {
		return
	}
	if c.worst = append(c.worst, x); len(c.worst) >= 2*maxCovered {
		c.limit()
	}
}

func (c *covered) limit() {
	slices.SortStableFunc(c.worst, func(a, b coveredInput) int { return cmp.Compare(b.missing, a.missing) })
	if len(c.worst) > maxCovered {
		clear(c.worst[maxCovered:])
		c.worst = c.worst[:maxCovered]
	}
}

// whys are the reasons in the order of the legend.
var whys = []coverage.Why{coverage.OnlyCFI, coverage.Inexpressible, coverage.NoCFI, coverage.NoSection, coverage.Stub}

// coverage writes which code has SFrame data.
func (p *page) coverage(c *covered) {
	if c.files == 0 {
		return
	}
	c.limit()
	p.printf("<details class=\"block\" id=\"coverage\"%s><summary><h2>Coverage</h2></summary>\n<p class=\"cover\">%s: FDEs cover %s.</p>\n",
		state(c.files > 1 && c.files <= mostOpenCovered), rules.Count(c.files, "input"), c.total.String())
	p.printf("<ul class=\"legend\"><li><svg class=\"key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"covered\" width=\"10\" height=\"10\"/></svg> covered</li>\n")
	for _, w := range whys {
		p.printf("<li><svg class=\"key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"%s\" width=\"10\" height=\"10\"/></svg> %s</li>\n", w, w.Text())
	}
	p.printf("</ul>\n")
	for i := range c.worst {
		p.printf("%s", c.worst[i].html)
	}
	if more := c.files - len(c.worst); more > 0 {
		p.printf("<p class=\"cover\">and %s of which less is missing</p>\n", rules.Count(more, "more input"))
	}
	p.printf("</details>\n")
}

// coverageOf returns the part of the page on a file.
func coverageOf(f *coverage.File) markup {
	var b fragment
	b.printf("<section class=\"cover\"><h3 class=\"path\">%s</h3>\n<p>%s</p>\n%s\n", escape.Name(f.Name()), f.String(), shares(f.CoveredBytes, f.Missing))
	b.WriteString("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Coverage\"><table>\n<tr><th>Section<th>Coverage<th>Functions<th>Bytes</tr>\n")
	for i := range f.Sections {
		s := &f.Sections[i]
		b.printf("<tr><td>%s<td>%s<td>%d of %d<td>%d of %d</tr>\n", escape.Name(s.Section), shares(s.CoveredBytes, s.Missing),
			s.CoveredFunctions, s.Functions, s.CoveredBytes, s.Bytes)
	}
	b.WriteString("</table></div>\n")
	if len(f.Gaps) == 0 {
		b.WriteString("</section>\n")
		return b.html()
	}
	b.WriteString("<details><summary>Worst gaps</summary>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Coverage\"><table>\n<tr><th>Function<th>Missing bytes<th>Address<th>Section<th>Reason</tr>\n")
	for i := range f.Gaps {
		g := &f.Gaps[i]
		why := g.Reason.Text()
		if g.Detail != "" {
			why += " (" + g.Detail + ")"
		}
		b.printf("<tr><td>%s<td>%s %d of %d<td>0x%x<td>%s<td>%s</tr>\n", cmp.Or(escape.Name(g.Function), "(no name)"),
			bar(f.Gaps[0].Bytes, 0, []coverage.Reason{{Reason: g.Reason, Functions: 1, Bytes: g.Bytes}}), g.Bytes, g.Size, g.Start,
			escape.Name(g.Section), escape.Message(why))
	}
	b.WriteString("</table></div></details></section>\n")
	return b.html()
}

// barWidth is the width of a bar in its own units.
const barWidth = 1000

// shares draws a bar whose whole width is all bytes.
func shares(covered uint64, missing []coverage.Reason) markup {
	all := covered
	for _, m := range missing {
		all += m.Bytes
	}
	return bar(all, covered, missing)
}

// bar draws how many of some bytes are covered and are not, by reason. The text of the
// image has the same numbers.
func bar(all, covered uint64, missing []coverage.Reason) markup {
	var said []string
	if covered > 0 {
		said = append(said, "covered: "+rules.Count(int(covered), "byte"))
	}
	for _, m := range missing {
		said = append(said, m.Reason.Text()+": "+rules.Count(int(m.Bytes), "byte"))
	}
	if said == nil {
		said = []string{"no bytes"}
	}
	var b fragment
	b.printf("<svg class=\"bar\" role=\"img\" viewBox=\"0 0 %d 10\" preserveAspectRatio=\"none\"><title>%s</title>", barWidth, strings.Join(said, "; "))
	at, sum := uint64(0), uint64(0)
	part := func(class string, bytes uint64) {
		sum += bytes
		if end := uint64(float64(sum) / float64(max(all, 1)) * barWidth); bytes > 0 {
			end = max(end, min(at+3, barWidth)) // what is there can be seen
			b.printf("<rect class=\"%s\" x=\"%d\" width=\"%d\" height=\"10\"/>", class, at, end-at)
			at = end
		}
	}
	part("covered", covered)
	for _, m := range missing {
		part(string(m.Reason), m.Bytes)
	}
	b.WriteString("</svg>")
	return b.html()
}
