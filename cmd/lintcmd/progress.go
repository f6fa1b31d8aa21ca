package lintcmd

import (
	"fmt"
	"io"
	"time"

	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
	"github.com/sframe-lint/sframe-lint/reports"
)

// progress shows on a terminal how far a long run is. Nothing is shown of
// one that is done in a second.
type progress struct {
	w     io.Writer
	tick  *time.Ticker
	ticks <-chan time.Time // nil where nothing is to be shown
	done  int
	shown bool
}

func newProgress(stderr io.Writer, wanted bool) progress {
	p := progress{w: stderr}
	if wanted && program.IsTerminal(stderr) {
		p.tick = time.NewTicker(time.Second)
		p.ticks = p.tick.C
	}
	return p
}

// wait waits for a task to be done. While it waits, it shows what for; what
// it has shown is gone when it returns.
func (p *progress) wait(t *task) *checked {
	for {
		select {
		case f := <-t.done:
			p.done++
			p.clear()
			return f
		case <-p.ticks:
			p.show(t)
		}
	}
}

func (p *progress) show(t *task) {
	p.clear()
	fmt.Fprintf(p.w, "%d done, now %.60s", p.done, reports.Escape(t.path))
	p.shown = true
}

func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, program.ClearLine)
		p.shown = false
	}
}

func (p *progress) stop() {
	if p.tick != nil {
		p.tick.Stop()
	}
}
