package table

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sframe-lint/sframe-lint/internal/base/escape"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Text writes functions as lines of text.
type Text struct {
	t     *Table
	w     io.Writer
	raw   func(string) error // of the writer; nil: no colours
	cells Cells
	buf   []byte
	wide  int // digits of an address
	max   int // bytes on a line
	file  string
	line  int
	point func(l *Line) bool // nil: no instruction is pointed at
}

// Point makes the writer mark the instruction that contains an address.
func (x *Text) Point(pc uint64) {
	x.point = func(l *Line) bool { return pc >= l.PC && pc-l.PC < uint64(len(l.Bytes)) }
}

// NewText returns a writer of the functions of a table. It uses colours if color is set and the writer is an
// [escape.Writer].
func NewText(w io.Writer, t *Table, color bool) *Text {
	x := &Text{t: t, w: w, cells: Cells{ABI: t.ABI}, wide: 4, max: 4}
	if e, ok := w.(*escape.Writer); ok && color {
		x.raw = e.Raw
	}
	if t.names != nil {
		for _, a := range t.names.areas {
			x.wide = max(x.wide, len(strconv.FormatUint(a.end, 16)))
		}
	}
	switch {
	case t.ABI.MinInsn == 1:
		x.max = 8
	case t.ABI.MinInsn == 2:
		x.max = 6
	}
	return x
}

// Widths of columns, in characters.
const (
	textWidth = 38
	cellWidth = 22
)

// colours are those of reports.
const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	yellow = "33"
	blue   = "34"
)

var severityColor = [...]string{rules.Note: "1;36", rules.Warning: "1;35", rules.Error: "1;31"}

func (x *Text) setColor(code string) {
	if x.raw != nil {
		x.buf = append(append(append(x.buf, "\x1b["...), code...), 'm')
	}
}

func (x *Text) off() {
	if x.raw != nil {
		x.buf = append(x.buf, "\x1b[m"...)
	}
}

func (x *Text) str(all ...string) {
	for _, s := range all {
		x.buf = append(x.buf, s...)
	}
}

// in writes texts in a colour.
func (x *Text) in(color string, all ...string) {
	x.setColor(color)
	x.str(all...)
	x.off()
}

// pad fills up to a column that is width characters from a place in the buffer.
func (x *Text) pad(from, width int) {
	for n := utf8.RuneCount(x.buf[from:]); n < width; n++ {
		x.buf = append(x.buf, ' ')
	}
}

// hexOf returns an address in hexadecimal, behind spaces up to some digits.
func hexOf(v uint64, digits int) string { return fmt.Sprintf("%*x", digits, v) }

// Writer writes the functions of a table.
type Writer interface {
	// Begin writes what precedes the functions of an object, and if first is set, what precedes all objects.
	Begin(first bool) error
	Function(f *Function) error
	Flush() error
}

// Begin writes the name of the object, the meaning of the columns, and the findings that are not about code.
func (x *Text) Begin(first bool) error {
	if first {
		x.in(dim, "Rows: CFA RA FP. c-8: the word at CFA-8; u: unchanged; ^: signed; =: agrees, by proof; ?: not judged; -: no row.\n")
	} else {
		x.str("\n")
	}
	o := x.t.Object
	x.str(escape.Printable(o.Path))
	if o.Member != "" {
		x.str("(", escape.Name(o.Member), ")")
	}
	x.str(": ", x.t.ABI.Name, "\n")
	for _, f := range x.t.OtherFindings() {
		x.finding(f, "  ")
	}
	return x.flush(0)
}

// Function writes a function.
func (x *Text) Function(f *Function) error {
	x.str("\n")
	x.heading(f)
	if f.Kind == Padding {
		return x.flush(1 << 16)
	}
	x.columns(f)
	x.file, x.line = "", 0
	skipped := false
	for i := range f.Lines {
		l := &f.Lines[i]
		if x.t.opts.OnlyDifferences && l.Differs == 0 && len(l.Findings) == 0 {
			skipped = true
			continue
		}
		if skipped {
			x.str("  ...\n")
		}
		skipped = false
		x.row(l)
		if err := x.flush(1 << 16); err != nil {
			return err
		}
	}
	if skipped {
		x.str("  ...\n")
	}
	return x.flush(1 << 16)
}

// Flush writes buffered text.
func (x *Text) Flush() error { return x.flush(0) }

func (x *Text) flush(least int) error {
	if len(x.buf) < least || len(x.buf) == 0 {
		return nil
	}
	var err error
	for rest := x.buf; len(rest) > 0 && err == nil; {
		text, color, _ := bytes.Cut(rest, []byte("\x1b[")) // no name has one: they are escaped
		if _, err = x.w.Write(text); len(text) < len(rest) {
			color, rest, _ = bytes.Cut(color, []byte("m"))
			err = cmp.Or(err, x.raw("\x1b["+string(color)+"m"))
		} else {
			rest = nil
		}
	}
	x.buf = x.buf[:0]
	return err
}

// heading writes the first line of a function.
func (x *Text) heading(f *Function) {
	x.setColor(bold)
	x.str("0x", hexOf(f.Start, 0))
	if f.Name != "" {
		x.str(" <", escape.Name(f.Name), ">")
	}
	x.off()
	x.str(": ")
	if f.Kind != Code {
		x.str(string(f.Kind), ", ")
	}
	x.str(rules.Count(f.End-f.Start, "byte"))
	if f.Section != "" {
		x.str(" in ", escape.Name(f.Section))
	}
	if f.FDE >= 0 {
		x.str(", FDE [", strconv.Itoa(f.FDE), "]")
		if len(x.t.Object.SFrames) > 1 {
			x.str(" of section ", strconv.Itoa(f.SFrame+1))
		}
	} else if x.t.HasSFrame() && f.Kind != Padding {
		x.str(", no FDE")
	}
	if x.t.opts.CFI && !f.HasCFI && f.Kind != Padding {
		x.str(", no CFI")
	}
	if len(f.Lines) == 0 && f.Kind != Padding {
		x.str(", no bytes in the file")
	}
	x.str("\n")
}

// columns writes the names of the columns.
func (x *Text) columns(f *Function) {
	if len(f.Lines) == 0 {
		return
	}
	x.setColor(dim)
	x.pad(len(x.buf), 2+x.wide+2+3*x.max+1+textWidth)
	if x.t.HasSFrame() {
		x.str(fmt.Sprintf("%-*s", cellWidth, "SFrame"))
	}
	if x.t.opts.CFI {
		x.str(fmt.Sprintf("%-*s", cellWidth, "CFI"))
	}
	x.str("code")
	x.off()
	x.str("\n")
}

// row writes an instruction.
func (x *Text) row(l *Line) {
	if l.Line > 0 && (l.File != x.file || l.Line != x.line) {
		x.file, x.line = l.File, l.Line
		x.in(blue, "  ", escape.Name(l.File), ":", strconv.Itoa(l.Line))
		x.str("\n")
	}
	if x.point != nil && x.point(l) {
		x.in(bold, "=>")
	} else if l.Differs != 0 {
		x.in(red, "> ")
	} else {
		x.str("  ")
	}
	x.str(hexOf(l.PC, x.wide), "  ")
	from := len(x.buf)
	x.bytes(l.Bytes[:min(len(l.Bytes), x.max)])
	x.pad(from, 3*x.max+1)
	x.instruction(l)
	x.sides(l)
	x.address(l)
	x.str("\n")
	if len(l.Bytes) > x.max {
		x.str("  ")
		x.pad(len(x.buf), x.wide+2)
		x.bytes(l.Bytes[x.max:])
		x.str("\n")
	}
	for _, r := range l.Relocs {
		x.pad(len(x.buf), x.wide+6)
		x.in(dim, hexOf(r.Offset, 0), ": ", r.Type, " ", escape.Name(r.Symbol))
		x.str("\n")
	}
	for _, g := range l.Findings {
		x.finding(g, strings.Repeat(" ", x.wide+4))
	}
}

func (x *Text) bytes(b []byte) { x.buf = fmt.Appendf(x.buf, "% x", b) }

// instruction writes the text of an instruction with its target.
func (x *Text) instruction(l *Line) {
	from := len(x.buf)
	name, operands, _ := strings.Cut(l.Text, " ")
	x.str(name)
	if operands != "" || l.Jumps {
		x.pad(from, 6)
		x.str(" ", operands)
	}
	if l.Jumps {
		if len(l.Relocs) == 0 {
			x.str(hexOf(l.Target, 0))
			if l.To != "" {
				x.str(" ")
			}
		}
		x.named(l)
	}
	x.pad(from, textWidth-1)
	x.str(" ")
}

// named writes what is at the target.
func (x *Text) named(l *Line) {
	if l.To != "" {
		x.str("<", escape.Name(l.To), ">")
	}
}

// address writes the address that an operand in memory gives, at the end of the line as objdump does.
func (x *Text) address(l *Line) {
	if l.To == "" || l.Jumps {
		return
	}
	x.setColor(dim)
	x.str("  # ")
	if len(l.Relocs) == 0 {
		x.str(hexOf(l.Target, 0), " ")
	}
	x.named(l)
	x.off()
}

// sides writes the rows.
func (x *Text) sides(l *Line) {
	first := "-"
	cell := func(text string, differs bool) {
		switch {
		case differs:
			x.setColor(red)
		case text == "=" || text == "-":
			x.setColor(dim)
		default:
			x.setColor("0")
		}
		x.str(text)
		x.off()
		x.str(strings.Repeat(" ", max(cellWidth-utf8.RuneCountInString(text), 1)))
	}
	const cfi = CFA | RA | FP | Signing | Outermost | NoFRE | NoFDE
	if x.t.HasSFrame() {
		first = x.cells.SideText(&l.SFrame)
		cell(first, l.Differs != 0)
	}
	if x.t.opts.CFI {
		text := x.cells.SideText(&l.CFI)
		if l.CFI.Unclear != "" {
			text += " (" + l.CFI.Unclear + ")"
		}
		if x.t.HasSFrame() && l.CFI.Has && l.SFrame.Has && l.Differs&cfi == 0 && (text == first || l.CFI.Unclear == "") {
			text = "="
		}
		cell(text, l.Differs&cfi != 0)
	}
	x.str(x.cells.CodeText(&l.Code))
	if l.Differs != 0 {
		x.in(red, "  differs: ", strings.Join(l.Differs.Names(), ", "))
	}
	x.buf = bytes.TrimRight(x.buf, " ")
}

// finding writes a finding.
func (x *Text) finding(f *rules.Finding, indent string) {
	x.str(indent)
	x.in(severityColor[f.Severity], "^ ", f.Severity.String(), " [", f.Rule.ID, "]")
	x.str(": ", escape.Message(f.Message))
	if f.InSection && f.Span.Len > 0 {
		x.str(fmt.Sprintf(" (bytes 0x%x+%d of %s)", f.Span.Off, f.Span.Len, escape.Name(f.Section)))
	}
	x.str("\n")
	if f.Frame != nil {
		for _, line := range f.Frame.Witness {
			x.str(indent, "  path: ", escape.Message(line), "\n")
		}
	}
	if f.Help != "" {
		x.str(indent, "  help: ", escape.Message(f.Help), "\n")
	}
}
