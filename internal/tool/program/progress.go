package program

import (
	"fmt"
	"io"
	"time"
)

// Progress shows on a terminal, in one line, how far a long run has come.
type Progress struct {
	W     io.Writer     // nil if nothing is to be shown
	Pause time.Duration // that a line stays at least
	Next  time.Time     // when the next line may be shown
	shown bool
}

// Show shows a line of up to 100 characters, unless it is too early for another one.
func (p *Progress) Show(line func() string) {
	if p.W == nil || p.Pause > 0 && time.Now().Before(p.Next) {
		return
	}
	p.Clear()
	fmt.Fprintf(p.W, "%.100s", line())
	p.shown, p.Next = true, time.Now().Add(p.Pause)
}

// Clear removes the line that is shown; a line of a report can be written then.
func (p *Progress) Clear() {
	if p.shown {
		fmt.Fprint(p.W, clearLine)
		p.shown = false
	}
}
