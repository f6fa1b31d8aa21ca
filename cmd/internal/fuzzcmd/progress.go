package fuzzcmd

import (
	"fmt"
	"io"
	"time"

	"github.com/sframe-lint/sframe-lint/cmd/internal/program"
)

// progress shows on a terminal how far a long run has come. It shows nothing in
// the first second.
type progress struct {
	w     io.Writer // nil if nothing is to be shown
	total int
	next  time.Time
	begun time.Time
	shown bool
}

func newProgress(stderr io.Writer, total int) *progress {
	p := &progress{total: total, begun: time.Now()}
	if program.IsTerminal(stderr) {
		p.w, p.next = stderr, p.begun.Add(time.Second)
	}
	return p
}

// at shows that i things are done.
func (p *progress) at(i int) {
	p.show(func() string {
		return fmt.Sprintf("%d of %d, %.0f a second", i, p.total, float64(i)/time.Since(p.begun).Seconds())
	})
}

// show shows a line, unless it has shown one recently.
func (p *progress) show(line func() string) {
	if p.w == nil || time.Now().Before(p.next) {
		return
	}
	p.clear()
	fmt.Fprintf(p.w, "%.78s", line())
	p.shown, p.next = true, time.Now().Add(time.Second/2)
}

// clear removes the line shown.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, program.ClearLine)
		p.shown = false
	}
}
