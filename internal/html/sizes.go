package html

import (
	"bufio"
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/internal/rewrite"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

//go:embed sizes.css
var sizesStyle string

// mostMapped is the number of sections that have a picture of their own, and mostTiles that of
// areas in the picture of all sections: the largest ones.
const mostMapped, mostTiles = 50, 200

// WriteSizes writes a page on what the bytes of sections are for: for each section a
// picture whose areas are the bytes of its parts and of its largest functions. It returns
// the first error of the writer.
func WriteSizes(w io.Writer, tool reports.Tool, t *rewrite.Sizes) error {
	out := bufio.NewWriter(w)
	p := &page{w: escape.NewWriter(out, escape.HTML)}
	all := slices.Clone(t.Sections)
	slices.SortStableFunc(all, func(a, b *rewrite.Size) int { return cmp.Compare(b.Bytes, a.Bytes) })
	bytes := int64(0)
	for _, s := range all {
		bytes += s.Bytes
	}
	p.head(baseStyle+sizesStyle, "", "sframe-lint: "+rules.Count(bytes, "byte")+" of SFrame data")
	p.printf("<header>\n<h1>What the bytes are for</h1>\n<p class=\"sum\">%s in %s, measured by <a href=\"%s\" rel=\"noreferrer\">%s</a> %s</p>\n</header>\n<main>\n",
		rules.Count(bytes, "byte"), rules.Count(len(all), "section"), text(tool.URL), text(tool.Name), text(tool.Version))
	if t.Total != nil {
		p.sized(t.Total)
		p.sections(all, bytes)
	}
	p.libraries(t)
	for _, s := range all[:min(len(all), mostMapped)] {
		p.sized(s)
	}
	if more := len(all) - mostMapped; more > 0 {
		p.printf("<p class=\"sum\">and %s that are smaller</p>\n", rules.Count(more, "section"))
	}
	if len(all) == 0 {
		p.printf("<p class=\"none\">No SFrame data.</p>\n")
	}
	p.printf("</main>\n</body>\n</html>\n")
	return cmp.Or(p.err, p.w.Close(), out.Flush())
}

// sized writes a section, or the total.
func (p *page) sized(s *rewrite.Size) {
	p.printf("<section class=\"sized\"><h2>%s</h2>\n<p>%s in %s and %s", text(s.Title()), rules.Count(s.Bytes, "byte"), rules.Count(s.FDEs, "FDE"), rules.Count(s.FREs, "FRE"))
	if s.EHFrame > 0 {
		p.printf("; .eh_frame and its header have %s", rules.Count(s.EHFrame, "byte"))
	}
	p.printf(".</p>\n")
	switch {
	case s.Reason != "":
		p.printf("<p>It can't be written anew: %s.</p>\n", text(escape.Printable(s.Reason)))
	case s.Least < s.Bytes:
		p.printf("<p><code>rewrite</code> makes it %s.</p>\n", rules.Count(s.Least, "byte"))
		p.shareTable("What costs the difference", s.Costs.List(), s.Bytes)
	}
	p.shareTable("What the bytes are for", s.Parts.List(), s.Bytes)
	if len(s.Functions) > 0 {
		p.functions(s)
	}
	p.printf("</section>\n")
}

// sections writes the picture of all sections.
func (p *page) sections(all []*rewrite.Size, bytes int64) {
	var tiles []rewrite.Share
	rest := bytes
	for _, s := range all[:min(len(all), mostTiles)] {
		tiles = append(tiles, rewrite.Share{Name: cmp.Or(escape.Name(s.Member), escape.Name(path.Base(s.Path))), Bytes: s.Bytes})
		rest -= s.Bytes
	}
	if rest > 0 {
		tiles = append(tiles, rewrite.Share{Name: "all others", Bytes: rest})
	}
	p.treemap("Bytes by section", tiles, bytes)
}

// libraries writes the pictures of all libraries and of their largest objects.
func (p *page) libraries(t *rewrite.Sizes) {
	if len(t.Libraries) == 0 {
		return
	}
	var libraries, objects []rewrite.Share
	bytes := t.Unattributed
	for _, l := range t.Libraries {
		bytes += l.Bytes
		libraries = append(libraries, rewrite.Share{Name: l.Title(), Bytes: l.Bytes})
		for i := range l.Objects {
			name := escape.Name(l.Objects[i].Name)
			if l.Name != "" {
				name = l.Title() + "(" + name + ")"
			}
			objects = append(objects, rewrite.Share{Name: name, Bytes: l.Objects[i].Bytes})
		}
	}
	p.printf("<section class=\"sized\"><h2>By library</h2>\n")
	p.tiles("Bytes by library", libraries, t.Unattributed, bytes)
	if len(objects) > 0 {
		slices.SortStableFunc(objects, func(a, b rewrite.Share) int { return cmp.Compare(b.Bytes, a.Bytes) })
		p.tiles("Bytes by object", objects, t.Unattributed, bytes)
	}
	p.printf("</section>\n")
}

// tiles writes the picture of parts, the largest first, and of what is in none.
func (p *page) tiles(caption string, all []rewrite.Share, none, bytes int64) {
	all = slices.Clone(all[:min(len(all), mostTiles)])
	rest := bytes - none
	for _, x := range all {
		rest -= x.Bytes
	}
	if rest > 0 {
		all = append(all, rewrite.Share{Name: "all others", Bytes: rest})
	}
	if none > 0 {
		all = append(all, rewrite.Share{Name: "of no object", Bytes: none})
	}
	p.shareTable(caption, all, bytes)
	p.treemap(caption, all, bytes)
}

// functions writes the picture of the largest functions.
func (p *page) functions(s *rewrite.Size) {
	var all []rewrite.Share
	sum := int64(0)
	for i := range s.Functions {
		f := &s.Functions[i]
		name := f.Start
		if f.Name != "" {
			name = escape.Name(f.Name)
		}
		all = append(all, rewrite.Share{Name: name, Bytes: f.Bytes})
		sum += f.Bytes
	}
	p.treemap(fmt.Sprintf("Bytes by function: the %s with most have %d of %s", rules.Count(len(s.Functions), "function"), sum, rules.Count(s.Bytes, "byte")), all, s.Bytes)
}

func (p *page) shareTable(caption string, all []rewrite.Share, of int64) {
	p.printf("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"%s\"><table><caption>%s</caption>\n", text(caption), text(caption))
	for _, x := range all {
		p.printf("<tr><th scope=\"row\">%s<td>%d<td>%.1f%%</tr>\n", text(x.Name), x.Bytes, 100*float64(x.Bytes)/float64(max(of, 1)))
	}
	p.printf("</table></div>\n")
}

// The picture in its own units.
const mapWidth, mapHeight = 1000, 320

// treemap draws areas in proportion to bytes.
func (p *page) treemap(caption string, all []rewrite.Share, of int64) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b rewrite.Share) int { return cmp.Compare(b.Bytes, a.Bytes) })
	p.printf("<figure class=\"map\"><figcaption>%s</figcaption>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"%s\"><svg role=\"img\" aria-label=\"%s\" viewBox=\"0 0 %d %d\">\n", text(caption), text(caption), text(caption), mapWidth, mapHeight)
	for i, r := range squares(all, mapWidth, mapHeight) {
		p.printf("<g><title>%s: %s, %.1f%%</title><rect class=\"tone%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", text(all[i].Name),
			rules.Count(all[i].Bytes, "byte"), 100*float64(all[i].Bytes)/float64(max(of, 1)), i%6, r.x, r.y, r.w, r.h)
		const letter, line = 9, 20 // room that a letter and a line take
		if name := []rune(all[i].Name); r.h > line && r.w > 4*letter {
			if most := int(r.w/letter) - 1; len(name) > most {
				name = append(name[:max(most-1, 1):max(most-1, 1)], '…')
			}
			p.printf("<text x=\"%.1f\" y=\"%.1f\">%s</text>", r.x+5, r.y+15, text(string(name)))
		}
		p.printf("</g>\n")
	}
	p.printf("</svg></div></figure>\n")
}

// rect is an area of a picture.
type rect struct{ x, y, w, h float64 }

// squares divides an area in proportion to bytes, which descend, so that the parts are as
// nearly square as rows and columns allow ("Squarified Treemaps", Bruls and others, 2000).
func squares(all []rewrite.Share, width, height float64) []rect {
	sum := 0.0
	for _, x := range all {
		sum += float64(x.Bytes)
	}
	out := make([]rect, 0, len(all))
	room, scale := rect{0, 0, width, height}, width*height/max(sum, 1)
	for len(all) > 0 {
		short := min(room.w, room.h)
		n, area, worst := 0, 0.0, 0.0
		for ; n < len(all); n++ {
			more := area + float64(all[n].Bytes)*scale
			now := max(short*short*float64(all[0].Bytes)*scale/(more*more), more*more/(short*short*float64(max(all[n].Bytes, 1))*scale))
			if n > 0 && now > worst {
				break
			}
			area, worst = more, now
		}
		out = append(out, strip(all[:n], &room, area, scale)...)
		all = all[n:]
	}
	return out
}

// strip lays parts along the short side of the room, and takes their area from it.
func strip(row []rewrite.Share, room *rect, area, scale float64) (out []rect) {
	deep := area / max(min(room.w, room.h), 1e-9)
	x, y := room.x, room.y
	for _, s := range row {
		long := float64(s.Bytes) * scale / max(deep, 1e-9)
		if room.w >= room.h {
			out = append(out, rect{x, y, deep, long})
			y += long
		} else {
			out = append(out, rect{x, y, long, deep})
			x += long
		}
	}
	if room.w >= room.h {
		room.x, room.w = room.x+deep, room.w-deep
	} else {
		room.y, room.h = room.y+deep, room.h-deep
	}
	return out
}
