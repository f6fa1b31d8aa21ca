package table

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

// Cells writes the CFA, RA and FP of rows in a few characters, like readelf does for CFI. "c-8" is the word at CFA-8,
// "u" is unchanged and "?" is unknown.
type Cells struct {
	ABI  model.ABIInfo
	seen map[cell]string
}

type cell struct {
	row    model.Row
	signed bool
}

// mostCells bounds the texts that are remembered.
const mostCells = 1 << 14

// Of returns the text of a row.
func (c *Cells) Of(row model.Row, signed bool) string {
	key := cell{row, signed}
	if text, ok := c.seen[key]; ok {
		return text
	}
	text := ""
	if row.Outermost() {
		text = "outermost"
	} else {
		text = c.shortRule(row.CFA) + " " + c.shortRule(row.RA)
		if signed {
			text += "^"
		}
		text += " " + c.shortRule(row.FP)
	}
	if c.seen == nil {
		c.seen = map[cell]string{}
	}
	if len(c.seen) < mostCells {
		c.seen[key] = text
	}
	return text
}

func (c *Cells) shortRule(v model.Recovery) string {
	switch {
	case v.Kind == model.Unchanged:
		return "u"
	case v.Kind == model.Undefined:
		return "-"
	case v.Kind == model.FromCFA && v.Deref:
		return fmt.Sprintf("c%+d", v.Offset)
	case v.Kind == model.Invalid:
		return "?"
	}
	return v.Format(c.ABI)
}

// SideText returns the cell of a source, or "-" if it has no row.
func (c *Cells) SideText(s *Side) string {
	if !s.Has {
		return "-"
	}
	return c.Of(s.Row, s.Signed)
}

// CodeText returns the cell of the code. It is "=" if the code proves the row. It begins with "?" if the code does
// not judge the row.
func (c *Cells) CodeText(s *Said) string {
	switch {
	case s.Agrees:
		return "="
	case !s.Judged || s.Reason != 0:
		return "? " + s.Reason.String()
	case s.Open:
		return "? " + c.Of(s.Row, s.Signed)
	}
	return c.Of(s.Row, s.Signed)
}
