package fuzzcmd

import (
	"fmt"
	"io"
	"time"

	"github.com/sframe-lint/sframe-lint/internal/tool/conformance"
	"github.com/sframe-lint/sframe-lint/internal/tool/program"
)

// progress shows how many of a number of things are done. It shows nothing in the first second.
type progress struct {
	program.Progress
	total int
	begun time.Time
}

func newProgress(stderr io.Writer, total int) *progress {
	p := &progress{total: total, begun: time.Now()}
	if program.IsTerminal(stderr) {
		p.Progress = program.Progress{W: stderr, Pause: time.Second / 2, Next: p.begun.Add(time.Second)}
	}
	return p
}

// done shows that i cases are done.
func (p *progress) done(i int, _ *conformance.Result) bool {
	p.show(i)
	return true
}

// show shows that i things are done.
func (p *progress) show(i int) {
	p.Show(func() string {
		return fmt.Sprintf("%d of %d, %.0f a second", i, p.total, float64(i)/time.Since(p.begun).Seconds())
	})
}
