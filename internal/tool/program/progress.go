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

// every is how often a status is written where there is no terminal.
const every = 30 * time.Second

// Status returns what gets each status of a long run: it shows a line on a terminal, and lets print write now and then elsewhere.
func Status[S any](p *Progress, line func(S) string, print func(S)) func(S) {
	if IsTerminal(p.W) && !InCI() {
		return func(s S) { p.Show(func() string { return line(s) }) }
	}
	last := time.Now()
	return func(s S) {
		if time.Since(last) >= every {
			last = time.Now()
			print(s)
		}
	}
}

// Clear removes the line that is shown; a line of a report can be written then.
func (p *Progress) Clear() {
	if p.shown {
		fmt.Fprint(p.W, clearLine)
		p.shown = false
	}
}
