package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/sframe-lint/sframe-lint/internal/escape"
)

// textForm writes text.
type textForm struct {
	w      io.Writer
	signal int  // that the first thread got
	table  bool // of the frames by module
	line   []byte
}

func (x *textForm) begin(i, id int) error {
	s := fmt.Sprintf("thread %d", id)
	if i > 0 {
		s = "\n" + s
	} else if x.signal != 0 {
		s += fmt.Sprintf(", signal %d", x.signal)
	}
	_, err := io.WriteString(x.w, s+"\n")
	return err
}

func (x *textForm) frame(i int, f *Frame) error {
	b := fmt.Appendf(x.line[:0], "#%-3d %-18s ", i, f.PC)
	switch {
	case f.Function != "":
		b = fmt.Appendf(b, "%s+0x%x", escape.Printable(f.Function), f.Offset)
		if f.Module != "" { // the code of a trampoline may be on the stack
			b = fmt.Appendf(b, " (%s)", escape.Printable(f.Module))
		}
	case f.Module != "":
		b = fmt.Appendf(b, "%s (%s)", f.Address, escape.Printable(f.Module))
	}
	if f.Signal {
		b = append(b, " <signal frame>"...)
	}
	if f.Why != "" {
		b = fmt.Appendf(b, " <by %s: %s>", f.By, f.Why)
	}
	if f.CFI != "" {
		b = append(append(b, " <-- "...), f.CFI...)
	}
	x.line = append(bytes.TrimRight(b, " "), '\n')
	_, err := x.w.Write(x.line)
	return err
}

func (x *textForm) end(e *End) error {
	end := "stopped"
	if e.Complete {
		end = "complete"
	}
	_, err := fmt.Fprintf(x.w, "%s: %s\n", end, escape.Printable(e.Message))
	return err
}

func (x *textForm) close(modules iter.Seq[Module], t *tail) error {
	var rows []Module
	for m := range modules {
		if x.table && m.Frames != (Ways{}) {
			rows = append(rows, m)
		}
		problem := m.Error
		if problem == "" && m.Faults > 0 {
			problem = "its SFrame data is damaged; what could be decoded is used"
		}
		if problem == "" {
			continue
		}
		if _, err := fmt.Fprintf(x.w, "\n%s: %s\n", escape.Printable(m.Name), escape.Message(problem)); err != nil {
			return err
		}
	}
	if x.table {
		if err := x.ways(rows, &t.Frames); err != nil {
			return err
		}
	}
	if c := t.Compared; c != nil {
		if _, err := fmt.Fprintf(x.w, "\ncompared with CFI: %d of %d frames; %s\n", c.Frames, c.Of, differing(c.Differ)); err != nil {
			return err
		}
	}
	if t.Process != nil {
		return x.process(t.Process)
	}
	return nil
}

// process writes for how long a process was stopped, and which of its threads were not.
func (x *textForm) process(p *Process) error {
	_, err := fmt.Fprintf(x.w, "\nprocess %d was stopped for %.1f ms\n", p.ID, float64(p.Stopped)/1000)
	for _, m := range p.Missed {
		if err == nil {
			_, err = fmt.Fprintf(x.w, "thread %d was not read: %s\n", m.ID, escape.Printable(m.Message))
		}
	}
	return err
}

func differing(n int) string {
	switch n {
	case 0:
		return "none differs"
	case 1:
		return "one thread has a frame that differs"
	}
	return fmt.Sprintf("%d threads have a frame that differs", n)
}

// ways writes the table of the frames by module.
func (x *textForm) ways(rows []Module, all *Ways) error {
	line := func(n *Ways, name string) error {
		_, err := fmt.Fprintf(x.w, "%8d %9d %8d %8d %8d  %s\n", n.SFrame, n.CFI, n.FP, n.Signal, n.None, escape.Printable(name))
		return err
	}
	if _, err := fmt.Fprintf(x.w, "\nframes by the way in which their callers were found:\n%8s %9s %8s %8s %8s\n", "SFrame", "eh_frame", "FP", "signal", "none"); err != nil {
		return err
	}
	rest := *all
	for i := range rows {
		n := &rows[i].Frames
		rest = Ways{rest.SFrame - n.SFrame, rest.CFI - n.CFI, rest.FP - n.FP, rest.Signal - n.Signal, rest.None - n.None}
		if err := line(n, rows[i].Name); err != nil {
			return err
		}
	}
	if rest != (Ways{}) {
		if err := line(&rest, "(in no module)"); err != nil {
			return err
		}
	}
	return line(all, "all")
}

// jsonForm writes JSON, indented. An error of the writer is that of close.
type jsonForm struct {
	w       *bufio.Writer
	item    bytes.Buffer
	between string // before the next thread
}

func newJSONForm(w *bufio.Writer, h *head) *jsonForm {
	x := &jsonForm{w: w}
	x.fields("", h)
	x.put(`,
  "threads": [`)
	return x
}

func (x *jsonForm) put(s string) { _, _ = x.w.WriteString(s) }

// value writes a value, on lines that begin with an indentation.
func (x *jsonForm) value(indent string, v any) []byte {
	x.item.Reset()
	e := json.NewEncoder(&x.item)
	e.SetEscapeHTML(false)
	e.SetIndent(indent, "  ")
	if err := e.Encode(v); err != nil {
		panic(err) // the types have nothing that cannot be encoded
	}
	return bytes.TrimSpace(x.item.Bytes())
}

// fields writes an object without its end.
func (x *jsonForm) fields(indent string, v any) {
	b := x.value(indent, v)
	_, _ = x.w.Write(bytes.TrimRight(b[:len(b)-1], "\n "))
}

func (x *jsonForm) begin(_, id int) error {
	x.put(x.between + "\n    {\n      \"id\": " + fmt.Sprint(id) + ",\n      \"frames\": [")
	x.between = ","
	return nil
}

func (x *jsonForm) frame(i int, f *Frame) error {
	if i > 0 {
		x.put(",")
	}
	x.put("\n        ")
	_, err := x.w.Write(x.value("        ", f))
	return err
}

func (x *jsonForm) end(e *End) error {
	x.put("\n      ],")
	b := x.value("    ", e)
	_, err := x.w.Write(b[1:]) // without the brace
	return err
}

func (x *jsonForm) close(modules iter.Seq[Module], t *tail) error {
	x.put("\n  ],\n  \"modules\": [")
	between, end := "", ""
	for m := range modules {
		x.put(between + "\n    ")
		_, _ = x.w.Write(x.value("    ", &m))
		between, end = ",", "\n  "
	}
	x.put(end + "],")
	_, _ = x.w.Write(x.value("", t)[1:]) // without the brace
	x.put("\n")
	return nil
}
