package html

import (
	"fmt"
	"math"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// picture draws a stack frame as its sides describe it: a table of what they say, and one
// of the stack, a row for each run of bytes. All of it is text, so that a screen reader
// reads it as others see it.
func picture(abi model.ABIInfo, sides []rules.Side, caption string) markup {
	var b fragment
	b.printf("<figure class=\"frame\"><figcaption>%s</figcaption>\n<div class=\"pair\">\n", caption)
	rulesTable(&b, abi, sides)
	var drawn []rules.Side
	for _, s := range sides {
		if s.Row.CFA.Kind == model.InRegister {
			drawn = append(drawn, s)
		}
	}
	if len(drawn) > 0 {
		drawStacks(&b, abi, drawn)
	}
	b.WriteString("</div></figure>\n")
	return b.html()
}

// rulesTable writes the recovery rules of each side.
func rulesTable(b *fragment, abi model.ABIInfo, sides []rules.Side) {
	b.WriteString("<table class=\"said\"><caption>Recovery rules</caption>\n<tr><th scope=\"col\">Value")
	for _, s := range sides {
		b.printf("<th scope=\"col\">%s", s.Source)
	}
	b.WriteString("</tr>\n")
	for _, v := range []struct {
		name string
		of   func(rules.Side) string
	}{
		{"CFA", func(s rules.Side) string { return s.Row.CFA.Format(abi) }},
		{"return address", func(s rules.Side) string {
			if s.Signed {
				return s.Row.RA.Format(abi) + ", signed"
			}
			return s.Row.RA.Format(abi)
		}},
		{"caller's " + abi.FPName, func(s rules.Side) string { return s.Row.FP.Format(abi) }},
	} {
		first := v.of(sides[0])
		differs := slices.ContainsFunc(sides, func(s rules.Side) bool { return v.of(s) != first })
		class, more := markup(""), markup("")
		if differs {
			class, more = " class=\"differs\"", " <b>differs</b>"
		}
		b.printf("<tr%s><th scope=\"row\">%s%s", class, v.name, more)
		for _, s := range sides {
			b.printf("<td><code>%s</code>", v.of(s))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>\n")
}

// drawStacks writes a column for each side. If the CFAs count from one register, a row
// has the same addresses in all columns.
func drawStacks(b *fragment, abi model.ABIInfo, sides []rules.Side) {
	base, stacks := "CFA", make([]stack, len(sides))
	shared := len(sides) > 1 && sharedBase(sides)
	var at []int64
	for i, s := range sides {
		shift := int64(0)
		if shared {
			base, shift = abi.RegName(s.Row.CFA.Reg), s.Row.CFA.Offset
		}
		stacks[i] = stackOf(abi, s.Row, shift)
		for _, c := range stacks[i].cells {
			at = append(at, c.low)
		}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	slices.Reverse(at)
	b.WriteString("<table class=\"stack\"><caption>Stack, high addresses first</caption>\n<tr><th scope=\"col\">From")
	for _, s := range sides {
		b.printf("<th scope=\"col\">%s", s.Source)
	}
	b.WriteString("</tr>\n")
	for i, low := range at {
		label := "below"
		if low != noEnd {
			label = place(base, low)
		}
		b.printf("<tr><th scope=\"row\">%s", label)
		for j := range stacks {
			stacks[j].cellAt(b, at, i)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>\n")
}

// cellAt writes the cell that begins in a row of the table, if one does: it has all rows
// down to its low end. at are the low ends of the rows.
func (s *stack) cellAt(b *fragment, at []int64, row int) {
	n := slices.IndexFunc(s.cells, func(c cell) bool { return c.low <= at[row] })
	if n < 0 { // below the last cell
		if last := s.cells[len(s.cells)-1]; row > 0 && at[row-1] == last.low {
			b.printf("<td class=\"empty\" rowspan=\"%d\">", len(at)-row)
		}
		return
	}
	c := s.cells[n]
	if row > 0 && (n == 0 || at[row-1] < s.cells[n-1].low) {
		return // the cell began in a row above
	}
	span := 1
	for at[row+span-1] > c.low {
		span++
	}
	b.printf("<td class=\"%s\"", c.kind)
	if span > 1 {
		b.printf(" rowspan=\"%d\"", span)
	}
	b.WriteString(">")
	for _, name := range s.marksAt(c.low) {
		b.printf("<b>%s</b> ", name)
	}
	b.printf("%s", c.text)
}

// stack is a stack frame in memory as one side describes it. Places are offsets in bytes,
// from the CFA or from the register that the CFA counts from.
type stack struct {
	cells []cell // from high to low addresses, without holes
	marks []mark
}

// cell is a run of bytes of the stack.
type cell struct {
	low  int64  // place of the first byte, or noEnd
	kind string // of styles: caller, save, ra, fp, both, space, below
	text string
}

// noEnd is the low end of a frame whose SP is not known.
const noEnd = math.MinInt64

// mark is a place that the CFA or a register points to.
type mark struct {
	at   int64
	name string
}

// slotSize is the size of a saved register, in all ABIs.
const slotSize = 8

// sharedBase reports whether the CFAs of all sides count from one register, so that the
// sides can be compared address by address.
func sharedBase(sides []rules.Side) bool {
	for _, s := range sides {
		if c := s.Row.CFA; c.Kind != model.InRegister || c.Deref || c.Reg != sides[0].Row.CFA.Reg {
			return false
		}
	}
	return true
}

// stackOf returns the stack frame that a side describes. Places count from the CFA plus
// shift.
func stackOf(abi model.ABIInfo, row model.Row, shift int64) stack {
	b := &builder{abi: abi, row: row}
	b.slot(row.RA, "ra", "return address")
	b.slot(row.FP, "fp", "caller's "+abi.FPName)
	b.marks = append(b.marks, mark{0, "CFA"})
	if c := row.CFA; c.Kind == model.InRegister && !c.Deref {
		b.marks = append(b.marks, mark{-c.Offset, abi.RegName(c.Reg)})
		b.sp, b.spKnown = -c.Offset, c.Reg == abi.SP
	}
	if abi.SPOffset != 0 {
		b.marks = append(b.marks, mark{abi.SPOffset, "caller's " + abi.SPName})
	}
	s := stack{cells: b.cells(), marks: b.marks}
	for i := range s.cells {
		if s.cells[i].low != noEnd {
			s.cells[i].low += shift
		}
	}
	for i := range s.marks {
		s.marks[i].at += shift
	}
	return s
}

// builder puts a stack frame together. Places count from the CFA.
type builder struct {
	abi     model.ABIInfo
	row     model.Row
	slots   []cell // of slotSize bytes
	marks   []mark
	sp      int64
	spKnown bool
}

// slot adds the place of a saved register, if it is one on the stack.
func (b *builder) slot(r model.Recovery, kind, text string) {
	at, ok := r.Offset, r.Deref && r.Kind == model.FromCFA
	if c := b.row.CFA; r.Deref && r.Kind == model.InRegister && c.Kind == model.InRegister && !c.Deref && c.Reg == r.Reg {
		at, ok = r.Offset-c.Offset, true
	}
	if ok {
		b.slots = append(b.slots, cell{at, kind, text})
	}
}

// cells divides the stack at all places that matter.
func (b *builder) cells() []cell {
	var at []int64
	for _, s := range b.slots {
		at = append(at, s.low, s.low+slotSize)
	}
	for _, m := range b.marks {
		at = append(at, m.at)
	}
	slices.Sort(at)
	at = slices.Compact(at)
	slices.Reverse(at)
	out := []cell{b.cell(at[0], at[0])} // it has no high end
	for i := range at[1:] {
		out = append(out, b.cell(at[i+1], at[i]))
	}
	if !b.spKnown {
		out = append(out, cell{noEnd, "space", "more of the frame, down to " + b.abi.SPName})
	}
	return out
}

// cell returns the bytes from low to before high; without any, those from there up.
func (b *builder) cell(low, high int64) cell {
	c := cell{low: low}
	for _, s := range b.slots {
		switch {
		case low < s.low || low >= s.low+slotSize:
		case c.kind == "":
			c.kind, c.text = s.kind, s.text
		default:
			c.kind, c.text = "both", c.text+" and "+s.text
		}
	}
	switch {
	case c.kind != "" && high-low < slotSize:
		c.text += ", " + rules.Count(int(high-low), "byte") + " of it"
	case c.kind != "":
	case low >= 0:
		c.kind, c.text = "caller", "caller's frame"
	case b.abi.SPOffset != 0 && low >= b.abi.SPOffset:
		c.kind, c.text = "save", "register save area, "+rules.Count(int(high-low), "byte")
	case b.spKnown && low < b.sp:
		c.kind, c.text = "below", rules.Count(int(high-low), "byte")
	default:
		c.kind, c.text = "space", rules.Count(int(high-low), "byte")
	}
	if b.spKnown && low < b.sp {
		c.text += ", below " + b.abi.SPName
	}
	return c
}

// marksAt returns the names of what points to a place.
func (s *stack) marksAt(at int64) (names []string) {
	for _, m := range s.marks {
		if m.at == at {
			names = append(names, m.name)
		}
	}
	return names
}

// place writes an offset from a name: "rsp+8", "CFA".
func place(name string, off int64) string {
	if off == 0 {
		return name
	}
	return fmt.Sprintf("%s%+d", name, off)
}
