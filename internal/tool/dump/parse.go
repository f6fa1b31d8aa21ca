package dump

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/base/lookup"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Func is a function in the output of a tool.
type Func struct {
	PC   uint64
	Size uint32 // bytes
	Rows []Row
}

// Row is an FRE in the output of a tool.
type Row struct {
	Start uint64 // as printed: an address, or the offset in a stub
	Rule  string // CFA, FP and RA in the tool's notation
}

// Difference is a difference between the output of a tool and the section.
type Difference struct {
	Field    string // functions, size, pc, rows, start or rule
	FDE, FRE int    // -1 outside of FDEs or FREs
	Got      string // the value in the output
	Want     string // the value in the section
}

// differ returns a difference of two numbers.
func differ[T any](field string, fde, fre int, format string, got, want T) *Difference {
	return &Difference{field, fde, fre, fmt.Sprintf(format, got), fmt.Sprintf(format, want)}
}

func (d *Difference) String() string {
	at := ""
	if d.FDE >= 0 {
		at = fmt.Sprintf("function %d: ", d.FDE)
	}
	if d.FRE >= 0 {
		at = fmt.Sprintf("function %d row %d: ", d.FDE, d.FRE)
	}
	return fmt.Sprintf("%s%s %s, not %s", at, d.Field, d.Got, d.Want)
}

var (
	objdumpFunc = lookup.Regexp(`^ +func idx \[(\d+)\]: pc = 0x([0-9a-f]+), size = (-?\d+) bytes`)
	objdumpRow  = lookup.Regexp(`^ +([0-9a-f]{16}) +(.*)$`)
)

// ParseObjdump reads the functions in the output of objdump or readelf.
func ParseObjdump(text string) []Func {
	var out []Func
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := objdumpFunc().FindStringSubmatch(line); m != nil {
			pc, _ := strconv.ParseUint(m[2], 16, 64)
			size, _ := strconv.ParseInt(m[3], 10, 64)
			out = append(out, Func{PC: pc, Size: uint32(size)})
		} else if m := objdumpRow().FindStringSubmatch(line); m != nil && len(out) > 0 {
			start, _ := strconv.ParseUint(m[1], 16, 64)
			f := &out[len(out)-1]
			f.Rows = append(f.Rows, Row{start, strings.ReplaceAll(m[2], " ", "")}) // columns may touch
		}
	}
	return out
}

// ObjdumpRule returns the text that objdump should show for a row, without spaces. For a fixed RA, 2.40 shows the
// same as for an unknown RA.
func ObjdumpRule(r model.FRE) string {
	s := r.FDE().Section()
	row := r.Row()
	if row.Outermost() {
		return "RAundefined"
	}
	flex := r.Flex()
	ra := "f"
	unsaved := !flex && r.NumWords() > 1 && r.Word(1) == 0 // on every ABI
	switch {
	case flex && r.NumWords() > 2 && r.Control(2) == 0:
		ra = "U"
	case flex && r.NumWords() > 3, s.ABI().TracksRA():
		if ra = objdumpValue(s, row.RA, flex); unsaved {
			ra = "U"
		}
	case s.Version() == model.SFRAME_VERSION_1:
		ra = "u"
	}
	if r.MangledRA() {
		ra += "[s]"
	}
	cfa := objdumpValue(s, row.CFA, flex)
	switch {
	case flex && r.NumWords() > 1 && r.Control(0)&model.FlexRegP == 0:
		cfa = fmt.Sprintf("c%+d", r.Word(1)) // no sense, but as it is
	case !flex:
		cfa = strings.Replace(cfa, "-", "+-", 1)
	}
	return cfa + objdumpValue(s, row.FP, flex) + ra
}

func objdumpValue(s *model.Section, v model.Recovery, flex bool) string {
	reg := func() string {
		switch v.Reg {
		case s.ABI().SP:
			return "sp"
		case s.ABI().FP:
			return "fp"
		}
		return fmt.Sprintf("r%d", v.Reg)
	}
	switch {
	case v.Kind == model.Invalid:
		return "?"
	case v.Kind == model.FromCFA:
		return fmt.Sprintf("c%+d", v.Offset)
	case v.Kind == model.InRegister && !flex && v.Reg != s.ABI().SP && v.Reg != s.ABI().FP:
		return reg() // s390x, version 2
	case v.Kind == model.InRegister && v.Deref:
		return fmt.Sprintf("(%s%+d)", reg(), v.Offset)
	case v.Kind == model.InRegister:
		return fmt.Sprintf("%s%+d", reg(), v.Offset)
	}
	return "u"
}

var (
	llvmFunc  = lookup.Regexp(`^ +FuncDescEntry \[`)
	llvmField = lookup.Regexp(`^ +([A-Za-z ]+): (.*)$`)
)

// ParseLLVM reads the functions in the output of llvm-readobj.
func ParseLLVM(text string) []Func {
	var out []Func
	row := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case llvmFunc().MatchString(line):
			out, row = append(out, Func{}), false
			continue
		case strings.HasSuffix(line, "Frame Row Entry {") && len(out) > 0:
			f := &out[len(out)-1]
			f.Rows, row = append(f.Rows, Row{}), true
			continue
		}
		m := llvmField().FindStringSubmatch(line)
		if m == nil || len(out) == 0 {
			continue
		}
		f := &out[len(out)-1]
		n, _ := strconv.ParseUint(m[2], 0, 64)
		switch {
		case !row && m[1] == "PC":
			f.PC = n
		case !row && m[1] == "Size":
			f.Size = uint32(n)
		case row && m[1] == "Start Address":
			f.Rows[len(f.Rows)-1].Start = n
		case row && (m[1] == "CFA Offset" || m[1] == "RA Offset" || m[1] == "FP Offset"):
			f.Rows[len(f.Rows)-1].Rule += m[1] + m[2] + " "
		case row && m[1] == "Base Register" && strings.HasPrefix(m[2], "FP"):
			f.Rows[len(f.Rows)-1].Rule += "FP base "
		}
	}
	return out
}

// LLVMRule returns the text that llvm-readobj should show for a row.
func LLVMRule(r model.FRE) string {
	row := r.Row()
	out := ""
	if r.Base() == model.SFRAME_BASE_REG_FP {
		out += "FP base "
	}
	for _, v := range []struct {
		name string
		rec  model.Recovery
	}{{"CFA", row.CFA}, {"RA", row.RA}, {"FP", row.FP}} {
		if v.rec.Kind == model.InRegister || v.rec.Kind == model.FromCFA {
			out += fmt.Sprintf("%s Offset%d ", v.name, v.rec.Offset)
		}
	}
	return out
}

// Compare returns the first difference between the output of a tool and the section, nil if there is none. rules are
// in the tool's notation. It does not compare the addresses of a relocatable file.
func Compare(o *reader.Object, f *reader.SFrame, got []Func, rule func(model.FRE) string) *Difference {
	if n := Functions(f.Data); n != len(got) {
		return differ("functions", -1, -1, "%d", len(got), n)
	}
	for i, g := range got {
		if d := CompareFunc(o, f.Section, i, g, rule); d != nil {
			return d
		}
	}
	return nil
}

// CompareFunc is Compare for one function.
func CompareFunc(o *reader.Object, s *model.Section, i int, g Func, rule func(model.FRE) string) *Difference {
	fde, relocatable := s.FDE(i), o.ELF != nil && o.ELF.Relocatable()
	switch {
	case g.Size != fde.Size():
		return differ("size", i, -1, "%d", g.Size, fde.Size())
	case !relocatable && g.PC != fde.Start():
		return differ("pc", i, -1, "%x", g.PC, fde.Start())
	}
	fde = WithRows(s, i)
	if len(g.Rows) != int(fde.ClaimedFREs()) || len(g.Rows) != fde.NumFREs() {
		return &Difference{"rows", i, -1, fmt.Sprint(len(g.Rows)), fmt.Sprintf("%d (%d decoded)", fde.ClaimedFREs(), fde.NumFREs())}
	}
	for r := range fde.FREs() {
		if d := CompareRow(o, i, r, g, rule); d != nil {
			return d
		}
	}
	return nil
}

// CompareRow is CompareFunc for one FRE that the tool printed.
func CompareRow(o *reader.Object, i int, r model.FRE, g Func, rule func(model.FRE) string) *Difference {
	fde, base, k := r.FDE(), g.PC, r.Index()
	if o.ELF != nil && o.ELF.Relocatable() {
		base = g.Rows[0].Start - uint64(fde.FRE(0).Start()) // tools print symbols in many ways
	}
	start := base + uint64(r.Start())
	if fde.Mask() {
		start = uint64(r.Start())
	}
	h := g.Rows[k]
	if h.Start != start {
		return differ("start", i, k, "%x", h.Start, start)
	}
	if want := rule(r); h.Rule != want && fde.Section().ABI().Known() { // else nothing states what it should be
		return &Difference{"rule", i, k, h.Rule, want}
	}
	return nil
}

// WithRows returns an FDE. If the reader skipped its FREs because many FDEs share them, it returns another FDE with
// the same FREs.
func WithRows(s *model.Section, i int) model.FDE {
	f := s.FDE(i)
	if f.NumFREs() == int(f.ClaimedFREs()) {
		return f
	}
	for k := range i {
		if g := s.FDE(k); g.StartFREOff() == f.StartFREOff() && g.ClaimedFREs() == f.ClaimedFREs() && g.Info() == f.Info() &&
			g.NumFREs() == int(g.ClaimedFREs()) {
			return g
		}
	}
	return f
}

// Functions counts the functions in all concatenated sections in data.
func Functions(data []byte) int {
	s, _ := reader.DecodeSection(data, reader.SectionOptions{})
	if s == nil {
		return 0
	}
	n := s.NumFDEs()
	for _, g := range s.Gaps() {
		rest := bytes.TrimLeft(s.Bytes(g.Span), "\x00")
		if len(rest) > model.HeaderSize(rest) && bytes.Equal(rest[:2], data[:2]) {
			n += Functions(rest)
		}
	}
	return n
}

// Rule is a row in a notation common to the output of all tools: CFA, FP and RA, each "" if the tool does not print
// it. "sp+8" is a register plus an offset, "c-16" the memory at CFA-16, and "(r6+0)" the memory at a register. "u"
// and "U" mean not saved, and "f" is the fixed offset of the header.
type Rule struct{ CFA, FP, RA string }

// columns matches a column of objdump's rows, of which the spaces were removed.
var columns = lookup.Regexp(`^(?:\((?:sp|fp|r\d+)[+-]\d+\)|(?:sp|fp|c|r\d+)(?:\+-?\d+|-\d+)?|[uUf?])`)

// ObjdumpColumns translates a row in the output of objdump or readelf. It returns nil if the row has another form.
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

// LLVMColumns translates a row in the output of llvm-readobj.
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

// Between returns the first difference between the outputs of two tools, nil if there is none. The functions
// translate their rows. Columns that a tool does not print are not compared. Want is the value of b.
func Between(a, b []Func, columnsA, columnsB func(string) Rule) *Difference {
	for i := range min(len(a), len(b)) {
		f, g := a[i], b[i]
		switch {
		case f.Size != g.Size:
			return differ("size", i, -1, "%d", f.Size, g.Size)
		case f.PC != g.PC:
			return differ("pc", i, -1, "%x", f.PC, g.PC)
		case len(f.Rows) != len(g.Rows):
			return differ("rows", i, -1, "%d", len(f.Rows), len(g.Rows))
		}
		for k := range f.Rows {
			if f.Rows[k].Start != g.Rows[k].Start {
				return differ("start", i, k, "%x", f.Rows[k].Start, g.Rows[k].Start)
			}
			if !columnsA(f.Rows[k].Rule).agrees(columnsB(g.Rows[k].Rule)) {
				return &Difference{"rule", i, k, strings.TrimSpace(f.Rows[k].Rule), strings.TrimSpace(g.Rows[k].Rule)}
			}
		}
	}
	if len(a) != len(b) {
		return differ("functions", -1, -1, "%d", len(a), len(b))
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
