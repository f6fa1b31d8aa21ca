package consumers_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// dumpedFunc and dumpedRow are what a tool has shown of a section.
type dumpedFunc struct {
	pc   uint64
	size uint32
	rows []dumpedRow
}

type dumpedRow struct {
	start uint64 // as shown: an address, or the offset in a stub
	rule  string // CFA, FP and RA in the tool's notation
}

var (
	objdumpFunc = regexp.MustCompile(`^ +func idx \[(\d+)\]: pc = 0x([0-9a-f]+), size = (-?\d+) bytes`)
	objdumpRow  = regexp.MustCompile(`^ +([0-9a-f]{16}) +(.*)$`)
)

// objdumpFuncs reads the functions in the output of objdump or readelf.
func objdumpFuncs(text string) []dumpedFunc {
	var out []dumpedFunc
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if m := objdumpFunc.FindStringSubmatch(line); m != nil {
			pc, _ := strconv.ParseUint(m[2], 16, 64)
			size, _ := strconv.ParseInt(m[3], 10, 64)
			out = append(out, dumpedFunc{pc: pc, size: uint32(size)})
		} else if m := objdumpRow.FindStringSubmatch(line); m != nil && len(out) > 0 {
			start, _ := strconv.ParseUint(m[1], 16, 64)
			f := &out[len(out)-1]
			f.rows = append(f.rows, dumpedRow{start, strings.ReplaceAll(m[2], " ", "")}) // columns may touch
		}
	}
	return out
}

// objdumpRule is what objdump should show for a row, without spaces. For a
// fixed RA, 2.40 shows what stands for an unknown one.
func objdumpRule(r model.FRE) string {
	s := r.FDE().Section()
	row := r.Row()
	if row.Outermost() {
		return "RAundefined"
	}
	flex := r.FDEType() == model.SFRAME_FDE_TYPE_FLEX
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
	case v.Kind == model.InRegister && s.Version() < model.SFRAME_VERSION_3 && v.Reg != s.ABI().SP && v.Reg != s.ABI().FP:
		return reg() // s390x, version 2
	case v.Kind == model.InRegister && v.Deref:
		return fmt.Sprintf("(%s%+d)", reg(), v.Offset)
	case v.Kind == model.InRegister:
		return fmt.Sprintf("%s%+d", reg(), v.Offset)
	}
	return "u"
}

var (
	llvmFunc  = regexp.MustCompile(`^ +FuncDescEntry \[`)
	llvmField = regexp.MustCompile(`^ +([A-Za-z ]+): (.*)$`)
)

// llvmFuncs reads the functions in the output of llvm-readobj.
func llvmFuncs(text string) []dumpedFunc {
	var out []dumpedFunc
	row := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case llvmFunc.MatchString(line):
			out, row = append(out, dumpedFunc{}), false
			continue
		case strings.HasSuffix(line, "Frame Row Entry {"):
			f := &out[len(out)-1]
			f.rows, row = append(f.rows, dumpedRow{}), true
			continue
		}
		m := llvmField.FindStringSubmatch(line)
		if m == nil || len(out) == 0 {
			continue
		}
		f := &out[len(out)-1]
		n, _ := strconv.ParseUint(m[2], 0, 64)
		switch {
		case !row && m[1] == "PC":
			f.pc = n
		case !row && m[1] == "Size":
			f.size = uint32(n)
		case row && m[1] == "Start Address":
			f.rows[len(f.rows)-1].start = n
		case row && (m[1] == "CFA Offset" || m[1] == "RA Offset" || m[1] == "FP Offset"):
			f.rows[len(f.rows)-1].rule += m[1] + m[2] + " "
		case row && m[1] == "Base Register" && strings.HasPrefix(m[2], "FP"):
			f.rows[len(f.rows)-1].rule += "FP base "
		}
	}
	return out
}

// llvmRule is what llvm-readobj should show for a row.
func llvmRule(r model.FRE) string {
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

// differs says where what a tool has shown is not what the section says; ""
// for nowhere. The addresses of a relocatable file are not compared.
func differs(o *reader.Object, f *reader.SFrame, got []dumpedFunc, rule func(model.FRE) string) string {
	s := f.Section
	if n := functions(f.Data); n != len(got) {
		return fmt.Sprintf("%d functions of %d", len(got), n)
	}
	for i, g := range got {
		fde := s.FDE(i)
		switch {
		case g.size != fde.Size():
			return fmt.Sprintf("function %d: size %d, not %d", i, g.size, fde.Size())
		case !o.ELF.Relocatable() && g.pc != fde.Start():
			return fmt.Sprintf("function %d: at %x, not %x", i, g.pc, fde.Start())
		}
		fde = withRows(s, i)
		if len(g.rows) != int(fde.ClaimedFREs()) || len(g.rows) != fde.NumFREs() {
			return fmt.Sprintf("function %d: %d rows of %d (%d)", i, len(g.rows), fde.ClaimedFREs(), fde.NumFREs())
		}
		base := g.pc
		if o.ELF.Relocatable() && len(g.rows) > 0 {
			base = g.rows[0].start - uint64(fde.FRE(0).Start()) // tools show symbols in many ways
		}
		for r := range fde.FREs() {
			start := base + uint64(r.Start())
			if fde.PCType() == model.SFRAME_FDE_PCTYPE_MASK {
				start = uint64(r.Start())
			}
			want := rule(r)
			if !s.ABI().Known() {
				want = g.rows[r.Index()].rule // nothing says what it should be
			}
			if h := g.rows[r.Index()]; h.start != start || h.rule != want {
				return fmt.Sprintf("function %d row %d: %x %q, not %x %q", i, r.Index(), h.start, h.rule, start, want)
			}
		}
	}
	return ""
}

// withRows returns an FDE, or where the reader has given up rows that it has
// seen often, another one that has the same.
func withRows(s *model.Section, i int) model.FDE {
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

// functions counts the functions of all sections that stand in a row.
func functions(data []byte) int {
	s, _ := reader.DecodeSection(data, reader.SectionOptions{})
	if s == nil {
		return 0
	}
	n := s.NumFDEs()
	for _, g := range s.Gaps() {
		rest := bytes.TrimLeft(s.Bytes(g.Span), "\x00")
		if len(rest) > model.HeaderSize && bytes.Equal(rest[:2], data[:2]) {
			n += functions(rest)
		}
	}
	return n
}
