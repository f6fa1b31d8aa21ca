package dump

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
)

// Rule is a row in a notation that all tools can be translated to: CFA, FP and RA, each "" where
// the tool does not print it. "sp+8" is a register with an offset, "c-16" the memory at CFA-16,
// "(r6+0)" that at a register; "u" and "U" are not saved, "f" is fixed by the header.
type Rule struct{ CFA, FP, RA string }

// columns matches a column of objdump's rows, of which the spaces were removed.
var columns = lookup.Regexp(`^(?:\((?:sp|fp|r\d+)[+-]\d+\)|(?:sp|fp|c|r\d+)(?:\+-?\d+|-\d+)?|[uUf?])`)

// ObjdumpColumns translates what objdump and readelf print of a row. It returns no columns if the row
// has another form.
func ObjdumpColumns(text string) Rule {
	rest := text
	var all [3]string
	for i := range all {
		m := columns().FindString(rest)
		if m == "" {
			return Rule{}
		}
		all[i], rest = strings.Replace(m, "+-", "-", 1), rest[len(m):]
	}
	return Rule{all[0], all[1], all[2]}
}

var llvmOffset = lookup.Regexp(`(CFA|RA|FP) Offset(-?\d+) `)

// LLVMColumns translates what llvm-readobj prints of a row.
func LLVMColumns(text string) Rule {
	var r Rule
	base := "sp"
	if strings.HasPrefix(text, "FP base ") {
		base = "fp"
	}
	for _, m := range llvmOffset().FindAllStringSubmatch(text, -1) {
		n, _ := strconv.ParseInt(m[2], 10, 64)
		switch m[1] {
		case "CFA":
			r.CFA = fmt.Sprintf("%s%+d", base, n)
		case "RA":
			r.RA = fmt.Sprintf("c%+d", n)
		case "FP":
			r.FP = fmt.Sprintf("c%+d", n)
		}
	}
	if r.CFA != "" && r.FP == "" {
		r.FP = "u"
	}
	return r
}

// Between returns the first difference between what two tools have printed, with functions that
// translate their rows; nil if there is none. Columns that a tool does not print are not compared.
// Want is what b has printed.
func Between(a, b []Func, columnsA, columnsB func(string) Rule) *Difference {
	for i := range min(len(a), len(b)) {
		f, g := a[i], b[i]
		switch {
		case f.Size != g.Size:
			return &Difference{"size", i, -1, fmt.Sprint(f.Size), fmt.Sprint(g.Size)}
		case f.PC != g.PC:
			return &Difference{"pc", i, -1, fmt.Sprintf("%x", f.PC), fmt.Sprintf("%x", g.PC)}
		case len(f.Rows) != len(g.Rows):
			return &Difference{"rows", i, -1, fmt.Sprint(len(f.Rows)), fmt.Sprint(len(g.Rows))}
		}
		for k := range f.Rows {
			if f.Rows[k].Start != g.Rows[k].Start {
				return &Difference{"start", i, k, fmt.Sprintf("%x", f.Rows[k].Start), fmt.Sprintf("%x", g.Rows[k].Start)}
			}
			if !columnsA(f.Rows[k].Rule).agrees(columnsB(g.Rows[k].Rule)) {
				return &Difference{"rule", i, k, strings.TrimSpace(f.Rows[k].Rule), strings.TrimSpace(g.Rows[k].Rule)}
			}
		}
	}
	if len(a) != len(b) {
		return &Difference{"functions", -1, -1, fmt.Sprint(len(a)), fmt.Sprint(len(b))}
	}
	return nil
}

// commonColumns returns the columns that tools print alike.
func (r Rule) commonColumns() Rule {
	if !strings.HasPrefix(r.RA, "c") && !strings.HasPrefix(r.RA, "(") {
		r.RA = "" // fixed, or not saved: tools use different words
	}
	if r.FP == "f" {
		r.FP = ""
	}
	return r
}

func (r Rule) agrees(s Rule) bool {
	r, s = r.commonColumns(), s.commonColumns()
	same := func(x, y string) bool { return x == "" || y == "" || x == y }
	return same(r.CFA, s.CFA) && same(r.FP, s.FP) && same(r.RA, s.RA)
}
