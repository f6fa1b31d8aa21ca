package trace

import (
	"fmt"
	"io"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/escape"
)

// WriteText writes a report as text.
func WriteText(w io.Writer, r *Report) error {
	for i := range r.Threads {
		if _, err := io.WriteString(w, r.thread(i)); err != nil {
			return err
		}
	}
	for _, m := range r.Modules {
		problem := m.Error
		if problem == "" && m.Faults > 0 {
			problem = "its SFrame data is damaged; what could be decoded is used"
		}
		if problem == "" {
			continue
		}
		if _, err := fmt.Fprintf(w, "\n%s: %s\n", escape.Printable(m.Name), escape.Message(problem)); err != nil {
			return err
		}
	}
	return nil
}

// thread writes a thread. The first one got the signal.
func (r *Report) thread(i int) string {
	var b strings.Builder
	t := &r.Threads[i]
	if i > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "thread %d", t.ID)
	if i == 0 && r.Signal != 0 {
		fmt.Fprintf(&b, ", signal %d", r.Signal)
	}
	b.WriteByte('\n')
	for i := range t.Frames {
		t.Frames[i].text(&b, i)
	}
	end := "stopped"
	if t.Complete {
		end = "complete"
	}
	fmt.Fprintf(&b, "%s: %s\n", end, escape.Printable(t.Message))
	return b.String()
}

func (f *Frame) text(b *strings.Builder, i int) {
	line := fmt.Sprintf("#%-3d %-18s ", i, f.PC)
	switch {
	case f.Function != "":
		line += fmt.Sprintf("%s+0x%x (%s)", escape.Printable(f.Function), f.Offset, escape.Printable(f.Module))
	case f.Module != "":
		line += fmt.Sprintf("%s (%s)", f.Address, escape.Printable(f.Module))
	}
	if f.Signal {
		line += " <signal frame>"
	}
	if f.CFI != "" {
		line += " <-- " + f.CFI
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}
