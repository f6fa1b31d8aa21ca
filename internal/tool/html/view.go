package html

import (
	"bufio"
	_ "embed"
	"io"

	"github.com/sframe-lint/sframe-lint/internal/base/budget"
	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/reports"
	"github.com/sframe-lint/sframe-lint/rules"
)

// The styles and the script of a page to browse sections, and what the script fills.
var (
	//go:embed view.css
	viewStyle string
	//go:embed view.js
	viewScript string
	//go:embed view.html
	viewBody string
)

// View writes a page to browse the functions, FREs and bytes of sections. It has one data block for each section,
// which the page's script reads when it shows the section, and a picture for each distinct row.
type View struct {
	out      *bufio.Writer
	page     *page
	tool     reports.Tool
	sections []string // their names, escaped
	packer   packer
	listing  *listing // of the object whose sections are added next; nil for none
	blocks   int      // of instructions
	file     string   // whose sections are added next, "" if the page has one file
}

// NewView starts a page about a file. It spends [budget.Output] of the budget.
func NewView(w io.Writer, tool reports.Tool, file string, b *budget.Budget) *View {
	v := &View{out: bufio.NewWriterSize(&metered{w, b}, 64<<10), tool: tool}
	style := baseStyle + viewStyle
	v.page = &page{w: escape.NewWriter(v.out, escape.HTML)}
	v.page.head(style, viewScript, "sframe-lint: "+reports.Escape(file))
	v.page.printf("<header><h1>%s</h1>\n", reports.Escape(file))
	v.page.printf("<p class=\"sum\">SFrame data by <a href=\"%s\" rel=\"noreferrer\">%s</a> %s</p>\n<p class=\"sum\" id=\"about\"></p>\n", tool.URL, tool.Name, tool.Version)
	v.page.printf("<noscript><p class=\"notes\">This page needs JavaScript, except for one function: <code>sframe-lint view --func NAME</code>. <code>sframe-lint dump</code> prints the same.</p></noscript>\n</header>\n")
	return v
}

// File sets the name of the file that the sections added next belong to. It is for pages with several files.
func (v *View) File(name string) { v.file = name }

// metered spends what is written.
type metered struct {
	w io.Writer
	b *budget.Budget
}

func (m *metered) Write(p []byte) (int, error) {
	if err := m.b.Spend(budget.Output, int64(len(p))); err != nil {
		return 0, err
	}
	return m.w.Write(p)
}

// Section adds a section. It must be called during the visit of the object.
func (v *View) Section(o *reader.Object, s *reader.SFrame) error {
	name := s.Name
	if name == "" {
		name = ".sframe"
	}
	name = escape.Name(name)
	if o.Member != "" {
		name = escape.Name(o.Member) + ": " + name
	}
	if v.file != "" {
		name = reports.Escape(v.file) + ": " + name
	}
	v.sections = append(v.sections, name)
	d := newSectionData(o, s, name)
	if v.listing != nil && v.listing.o == o {
		d.list(v.listing)
	}
	v.page.printf("<template class=\"data\" data-file=\"%s\" data-member=\"%s\">", reports.Escape(v.file), escape.Name(o.Member))
	v.page.note(d.write(v.page.w, &v.packer))
	v.page.printf("</template>\n")
	for i, x := range d.pictures {
		v.page.printf("<template id=\"p%d-%d\">%s</template>\n", len(v.sections)-1, i, picture(s.Section.ABI(), []rules.Side{x}, "The stack frame"))
	}
	return v.page.err
}

// Close writes the end of the page. It returns the first error of the writer or the budget.
func (v *View) Close() error {
	p := v.page
	p.printf("<main id=\"view\" class=\"view\" hidden>\n")
	if len(v.sections) > 1 {
		p.printf("<p class=\"which\"><label>Section <select id=\"section\">\n")
		for i, name := range v.sections {
			p.printf("<option value=\"%d\">%s</option>\n", i, name)
		}
		p.printf("</select></label></p>\n")
	}
	p.printf("%s</main>\n<script>", markup(viewBody))
	p.raw(viewScript)
	p.printf("</script>\n</body>\n</html>\n")
	if err := v.out.Flush(); p.err == nil {
		p.err = err
	}
	return p.err
}

// head writes the start of a page up to its body.
func (p *page) head(style, script, title string) {
	p.printf("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	p.printf("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'\">\n",
		hash(style), hash(script))
	p.printf("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n")
	p.printf("<title>%s</title>\n<style>", title)
	p.raw(style)
	p.printf("</style>\n</head>\n<body>\n")
}
