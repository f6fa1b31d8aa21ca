package table

import (
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
	cells Cells
	buf   []byte
	color bool
	wide  int // digits of an address
	max   int // bytes on a line
	file  string
	line  int
	point func(l *Line) bool // nil: no instruction is pointed at
}

// Point makes the writer point at the instruction that contains an address.
func (x *Text) Point(pc uint64) {
	x.point = func(l *Line) bool { return pc >= l.PC && pc-l.PC < uint64(len(l.Bytes)) }
}

// NewText returns a writer of the functions of a table, with colours if color is set.
func NewText(w io.Writer, t *Table, color bool) *Text {
	x := &Text{t: t, w: w, color: color, cells: Cells{ABI: t.ABI}, wide: 4, max: 4}
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
	if x.color {
		x.buf = append(append(append(x.buf, "\x1b["...), code...), 'm')
	}
}

func (x *Text) off() {
	if x.color {
		x.buf = append(x.buf, "\x1b[m"...)
	}
}

func (x *Text) str(s string) { x.buf = append(x.buf, s...) }

// pad fills up to a column that is width characters from a place in the buffer.
func (x *Text) pad(from, width int) {
	for n := utf8.RuneCount(x.buf[from:]); n < width; n++ {
		x.buf = append(x.buf, ' ')
	}
}

func (x *Text) hex(v uint64, digits int) {
	var b [16]byte
	s := strconv.AppendUint(b[:0], v, 16)
	for n := len(s); n < digits; n++ {
		x.buf = append(x.buf, ' ')
	}
	x.buf = append(x.buf, s...)
}

// Writer writes the functions of a table.
type Writer interface {
	// Begin writes what stands before the functions of an object, and first before all.
	Begin(first bool) error
	Function(f *Function) error
	Flush() error
}

// Begin writes the name of the object, what the columns are, and the findings that are not about code.
func (x *Text) Begin(first bool) error {
	if first {
		x.setColor(dim)
		x.str("Rows: CFA RA FP. c-8: the word at CFA-8; u: unchanged; ^: signed; =: agrees, by proof; ?: not judged; -: no row.\n")
		x.off()
	} else {
		x.str("\n")
	}
	o := x.t.Object
	x.str(escape.Printable(o.Path))
	if o.Member != "" {
		x.str("(" + escape.Name(o.Member) + ")")
	}
	x.str(": ")
	x.str(x.t.ABI.Name)
	x.str("\n")
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

// Flush writes what is left.
func (x *Text) Flush() error { return x.flush(0) }

func (x *Text) flush(least int) error {
	if len(x.buf) < least || len(x.buf) == 0 {
		return nil
	}
	_, err := x.w.Write(x.buf)
	x.buf = x.buf[:0]
	return err
}

// heading writes the first line of a function.
func (x *Text) heading(f *Function) {
	x.setColor(bold)
	x.str("0x")
	x.hex(f.Start, 0)
	if f.Name != "" {
		x.str(" <")
		x.str(escape.Name(f.Name))
		x.str(">")
	}
	x.off()
	x.str(": ")
	if f.Kind != Code {
		x.str(string(f.Kind))
		x.str(", ")
	}
	x.str(rules.Count(f.End-f.Start, "byte"))
	if f.Section != "" {
		x.str(" in ")
		x.str(escape.Name(f.Section))
	}
	if f.FDE >= 0 {
		x.str(", FDE [")
		x.buf = strconv.AppendInt(x.buf, int64(f.FDE), 10)
		x.str("]")
		if len(x.t.Object.SFrames) > 1 {
			x.str(" of section ")
			x.buf = strconv.AppendInt(x.buf, int64(f.SFrame)+1, 10)
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
	from := len(x.buf)
	x.str("  ")
	x.pad(from, 2+x.wide+2)
	x.pad(from, 2+x.wide+2+3*x.max+1+textWidth)
	if x.t.HasSFrame() {
		at := len(x.buf)
		x.str("SFrame")
		x.pad(at, cellWidth)
	}
	if x.t.opts.CFI {
		at := len(x.buf)
		x.str("CFI")
		x.pad(at, cellWidth)
	}
	x.str("code")
	x.off()
	x.str("\n")
}

// row writes an instruction.
func (x *Text) row(l *Line) {
	if l.Line > 0 && (l.File != x.file || l.Line != x.line) {
		x.file, x.line = l.File, l.Line
		x.setColor(blue)
		x.str("  ")
		x.str(escape.Name(l.File))
		x.str(":")
		x.buf = strconv.AppendInt(x.buf, int64(l.Line), 10)
		x.off()
		x.str("\n")
	}
	if x.point != nil && x.point(l) {
		x.setColor(bold)
		x.str("=>")
		x.off()
	} else if l.Differs != 0 {
		x.setColor(red)
		x.str("> ")
		x.off()
	} else {
		x.str("  ")
	}
	x.hex(l.PC, x.wide)
	x.str("  ")
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
		at := len(x.buf)
		x.pad(at, x.wide+6)
		x.setColor(dim)
		x.hex(r.Offset, 0)
		x.str(": ")
		x.str(r.Type)
		x.str(" ")
		x.str(escape.Name(r.Symbol))
		x.off()
		x.str("\n")
	}
	for _, g := range l.Findings {
		x.finding(g, strings.Repeat(" ", x.wide+4))
	}
}

const hexDigits = "0123456789abcdef"

func (x *Text) bytes(b []byte) {
	for i, c := range b {
		if i > 0 {
			x.buf = append(x.buf, ' ')
		}
		x.buf = append(x.buf, hexDigits[c>>4], hexDigits[c&15])
	}
}

// instruction writes the text of an instruction with its target.
func (x *Text) instruction(l *Line) {
	from := len(x.buf)
	name, operands, _ := strings.Cut(l.Text, " ")
	x.str(name)
	if operands != "" || l.Jumps {
		x.pad(from, 6)
		x.str(" ")
		x.str(operands)
	}
	if l.Jumps {
		if len(l.Relocs) == 0 {
			x.hex(l.Target, 0)
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
		x.str("<")
		x.str(escape.Name(l.To))
		x.str(">")
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
		x.hex(l.Target, 0)
		x.str(" ")
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
		at := len(x.buf)
		x.str(text)
		n := utf8.RuneCount(x.buf[at:])
		x.off()
		for ; n < cellWidth-1; n++ {
			x.buf = append(x.buf, ' ')
		}
		x.str(" ")
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
		x.setColor(red)
		x.str("  differs: ")
		x.str(strings.Join(l.Differs.Names(), ", "))
		x.off()
	}
	for len(x.buf) > 0 && x.buf[len(x.buf)-1] == ' ' {
		x.buf = x.buf[:len(x.buf)-1]
	}
}

// finding writes a finding.
func (x *Text) finding(f *rules.Finding, indent string) {
	x.str(indent)
	x.setColor(severityColor[f.Severity])
	x.str("^ ")
	x.str(f.Severity.String())
	x.str(" [")
	x.str(f.Rule.ID)
	x.str("]")
	x.off()
	x.str(": ")
	x.str(escape.Message(f.Message))
	if f.InSection && f.Span.Len > 0 {
		x.str(" (bytes 0x")
		x.hex(uint64(f.Span.Off), 0)
		x.str("+")
		x.buf = strconv.AppendInt(x.buf, f.Span.Len, 10)
		x.str(" of ")
		x.str(escape.Name(f.Section))
		x.str(")")
	}
	x.str("\n")
	if f.Frame != nil {
		for _, line := range f.Frame.Witness {
			x.str(indent)
			x.str("  path: ")
			x.str(escape.Message(line))
			x.str("\n")
		}
	}
	if f.Help != "" {
		x.str(indent)
		x.str("  help: ")
		x.str(escape.Message(f.Help))
		x.str("\n")
	}
}
