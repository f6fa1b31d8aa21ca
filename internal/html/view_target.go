package html

import (
	"fmt"
	"net/url"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/reports"
)

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
