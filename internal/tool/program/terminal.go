package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"
)

// clearLine clears the line of the cursor, on a terminal.
const clearLine = "\r\x1b[K"

// IsTerminal reports whether w is a terminal that supports escape sequences.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// Width returns the number of characters in a line of the terminal w. It returns usual if w is not a terminal or does
// not report its width.
func Width(w io.Writer, usual int) int {
	if !IsTerminal(w) {
		return usual
	}
	n, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil || n <= 0 {
		return usual
	}
	return n
}

// InCI reports whether the program runs in a service that keeps its output as a log, even if the output is a
// terminal.
func InCI() bool {
	v := os.Getenv("CI")
	return v != "" && v != "false" && v != "0"
}

// Progress shows the progress of a long run on a terminal, in one line.
type Progress struct {
	W     io.Writer     // nil shows nothing
	Pause time.Duration // minimum time between two lines
	Next  time.Time     // earliest time of the next line
	shown bool
}

// Show shows a line of up to 100 characters, unless the previous line is too recent.
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

// Status returns a function that gets each status of a long run. On a terminal it shows a line; elsewhere it calls
// print now and then.
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

// Clear removes the line, so a line of a report can be written.
func (p *Progress) Clear() {
	if p.shown {
		fmt.Fprint(p.W, clearLine)
		p.shown = false
	}
}

// ErrInterrupted means that the user has interrupted the program or the system is ending it.
var ErrInterrupted = errors.New("interrupted")

// UntilInterrupted returns a context that ends with [ErrInterrupted] when the program gets SIGINT or SIGTERM. The
// program can then clean up; a second signal ends it at once.
func UntilInterrupted() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			cancel(ErrInterrupted)
		case <-ctx.Done():
		}
		signal.Stop(signals)
	}()
	return ctx, func() { cancel(nil) }
}
