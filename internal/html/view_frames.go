package html

import (
	"fmt"
	"net/url"
	"path"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/reports"
)

// Thread is a backtrace that a page shows above its files.
type Thread struct {
	ID     int
	Frames []Frame
	End    string // why it ends
}

// Frame is a frame of a backtrace.
type Frame struct {
	Name string // what is at its PC
	File string // with its code, as [View.File] was called with; "" if the page does not have it
	Addr uint64 // in the file, that was looked up
	Text string // why it has its row, and what that reads: lines
}

// Threads adds backtraces.
func (v *View) Threads(all []Thread) { v.threads = all }

// backtraces writes the backtraces, each frame with a link to its instruction. They need no script.
func (p *page) backtraces(all []Thread) {
	if len(all) == 0 {
		return
	}
	p.printf("<section class=\"threads\" aria-labelledby=\"h-threads\">\n<h2 id=\"h-threads\">Backtraces</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Threads\">\n")
	for i, t := range all {
		p.printf("<details%s><summary>Thread %d: %d frames, %s</summary>\n<ol start=\"0\">\n", state(i == 0), t.ID, len(t.Frames), text(escape.Message(t.End)))
		for _, f := range t.Frames {
			p.printf("<li>")
			if f.File != "" {
				p.printf("<a href=\"#%s\">%s</a> in <span title=\"%s\">%s</span> ", text(Target{File: f.File, HasPC: true, PC: f.Addr, Off: -1}.Fragment()), text(escape.Name(f.Name)), text(reports.Escape(f.File)), text(reports.Escape(path.Base(f.File))))
			} else {
				p.printf("%s ", text(escape.Name(f.Name)))
			}
			if f.Text != "" {
				p.printf("<details><summary>Why</summary><pre>%s</pre></details>", text(f.Text))
			}
			p.printf("</li>\n")
		}
		p.printf("</ol></details>\n")
	}
	p.printf("</div></section>\n")
}

// Target is what a link into the page of a [View] shows.
type Target struct {
	File, Member string // "" where the page has one
	HasPC        bool
	PC           uint64 // of an instruction; in a relocatable file, an offset in the section with index Place
	Place        uint32
	Off          int64 // of a byte in the SFrame section, -1 for none
}

// Fragment returns the fragment of the page's address.
func (t Target) Fragment() string {
	q := url.Values{}
	if t.HasPC {
		q.Set("a", fmt.Sprintf("%x", t.PC))
	}
	if t.File != "" {
		q.Set("m", reports.Escape(t.File))
	}
	if t.Member != "" {
		q.Set("n", escape.Name(t.Member))
	}
	if t.Place != 0 {
		q.Set("l", fmt.Sprint(t.Place))
	}
	if t.Off >= 0 {
		q.Set("b", fmt.Sprintf("0x%x", t.Off))
	}
	return q.Encode()
}

// Views makes the report link its findings to pages of a [View]. page returns the address of that of a file, "" for
// none. It is called for each file with findings when the report is closed.
func (r *Renderer) Views(page func(path string) string) *Renderer {
	r.views = page
	return r
}

// link gives findings their links.
func (r *Renderer) link() {
	if r.views == nil {
		return
	}
	for i := range r.files {
		f := &r.files[i]
		page := r.views(f.path)
		for k := range f.results {
			x := &f.results[k]
			if page == "" || !x.HasPC && !x.InSection {
				continue
			}
			t := Target{Member: x.member, HasPC: x.HasPC, PC: x.PC, Place: x.Place, Off: -1}
			if x.Frame != nil {
				t.PC = x.Frame.PC
			}
			if x.InSection {
				t.Off = x.Span.Off
			}
			x.view = page + "#" + t.Fragment()
		}
	}
}
