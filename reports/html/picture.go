package html

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// picture draws a stack frame as its sides describe it: a table of what they say, and one
// of the stack, a row for each run of bytes. All of it is text, so that a screen reader
// reads it as others see it.
func picture(abi model.ABIInfo, sides []rules.Side, caption string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<figure class=\"frame\"><figcaption>%s</figcaption>\n<div class=\"pair\">\n", text(caption))
	said(&b, abi, sides)
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
	return b.String()
}

// said writes the recovery rules of each side.
func said(b *strings.Builder, abi model.ABIInfo, sides []rules.Side) {
	b.WriteString("<table class=\"said\"><caption>Recovery rules</caption>\n<tr><th scope=\"col\">Value")
	for _, s := range sides {
		fmt.Fprintf(b, "<th scope=\"col\">%s", text(s.Source))
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
		class, more := "", ""
		if differs {
			class, more = " class=\"differs\"", " <b>differs</b>"
		}
		fmt.Fprintf(b, "<tr%s><th scope=\"row\">%s%s", class, text(v.name), more)
		for _, s := range sides {
			fmt.Fprintf(b, "<td><code>%s</code>", text(v.of(s)))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>\n")
}

// drawStacks writes a column for each side. If the CFAs count from one register, a row
// has the same addresses in all columns.
func drawStacks(b *strings.Builder, abi model.ABIInfo, sides []rules.Side) {
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
		fmt.Fprintf(b, "<th scope=\"col\">%s", text(s.Source))
	}
	b.WriteString("</tr>\n")
	for i, low := range at {
		label := "below"
		if low != noEnd {
			label = place(base, low)
		}
		fmt.Fprintf(b, "<tr><th scope=\"row\">%s", text(label))
		for j := range stacks {
			stacks[j].cellAt(b, at, i)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>\n")
}

// cellAt writes the cell that begins in a row of the table, if one does: it has all rows
// down to its low end. at are the low ends of the rows.
func (s *stack) cellAt(b *strings.Builder, at []int64, row int) {
	n := slices.IndexFunc(s.cells, func(c cell) bool { return c.low <= at[row] })
	if n < 0 { // below the last cell
		if last := s.cells[len(s.cells)-1]; row > 0 && at[row-1] == last.low {
			fmt.Fprintf(b, "<td class=\"empty\" rowspan=\"%d\">", len(at)-row)
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
	fmt.Fprintf(b, "<td class=\"%s\"", c.kind)
	if span > 1 {
		fmt.Fprintf(b, " rowspan=\"%d\"", span)
	}
	b.WriteString(">")
	for _, name := range s.marksAt(c.low) {
		fmt.Fprintf(b, "<b>%s</b> ", text(name))
	}
	b.WriteString(text(c.text))
}
