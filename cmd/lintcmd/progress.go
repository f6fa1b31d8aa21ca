package lintcmd

import (
	"fmt"
	"io"

	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
	"github.com/sframe-lint/sframe-lint/reports"
)

// progress shows on a terminal how far a long run is.
type progress struct {
	w     io.Writer
	shown bool
}

func (p *progress) show(done int, path string) {
	p.clear()
	fmt.Fprintf(p.w, "%d done, now %.60s", done, reports.Escape(path))
	p.shown = true
}

// clear removes what is shown; a line of the report can be written then.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, program.ClearLine)
		p.shown = false
	}
}
