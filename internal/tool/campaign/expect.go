package campaign

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// most bounds the look-ups of a section, rowsOf those of a function.
const (
	most   = 256
	rowsOf = 16
)

// Lookups returns PCs to look up in a section, nil if s is nil. They are spread over its functions: the starts of
// FREs, in a repeated block also those of the second and the last repetition, the first and the last byte, and the
// bytes before and after the function.
func Lookups(s *model.Section) (all []Lookup) {
	if s == nil {
		return nil
	}
	add := func(pc uint64) {
		l := Lookup{PC: pc}
		if f, ok := s.Find(pc); ok {
			l.FDEType = uint64(f.Type())
		}
		all = append(all, l)
	}
	for i := 0; i < s.NumFDEs() && len(all) < most; i += 1 + s.NumFDEs()/(most/4) {
		f := s.FDE(i)
		add(f.Start() - 1)
		n := 0
		for r := range f.FREs() {
			if n++; n > rowsOf {
				break
			}
			add(f.Start() + uint64(r.Start()))
			for _, at := range Repetitions(f) {
				if at += uint64(r.Start()); at < uint64(f.Size()) {
					add(f.Start() + at)
				}
			}
		}
		add(f.End() - 1)
		add(f.End())
	}
	return all
}

// Repetitions returns the offsets of the second and the last repetition in a function of equal blocks.
func Repetitions(f model.FDE) []uint64 {
	rep, size := uint64(f.RepSize()), uint64(f.Size())
	if !f.Mask() || rep == 0 || size <= rep {
		return nil
	}
	return []uint64{rep, (size - 1) / rep * rep}
}

// Expect returns the text that the driver should write about a valid section.
func (k Reader) Expect(s *model.Section, lookups []Lookup) string {
	var b strings.Builder
	switch k {
	case Libsframe:
		for i := range s.NumFDEs() {
			f := s.FDE(i)
			fmt.Fprintf(&b, "function %d %d %d\n", f.RawStart(), f.Size(), f.ClaimedFREs()) // the field as it is
			for r := range f.FREs() {
				fmt.Fprintf(&b, "%d%s\n", r.Start(), k.Rule(r))
			}
		}
	case Linux, LinuxARM64:
		b.WriteString("validate 0\n")
	}
	for _, l := range lookups {
		rule := k.missing()
		if _, r, ok := s.At(l.PC); ok {
			rule = k.Rule(r)
		}
		fmt.Fprintf(&b, "pc %x%s\n", l.PC, rule)
	}
	return b.String()
}

// missing returns what the driver writes for a PC that no FRE covers.
func (k Reader) missing() string {
	if k == Linux || k == LinuxARM64 {
		return " found 22 step 0 warnings 0"
	}
	return " not found"
}

// Difference describes how a line of the driver differs from the expected line.
func (k Reader) Difference(got, want string) string {
	switch {
	case strings.HasSuffix(want, " lines"):
		return "number of lines"
	case strings.HasPrefix(want, "function "):
		return "function"
	case !strings.HasPrefix(want, "pc "):
		return "an FRE"
	case strings.HasSuffix(want, k.missing()):
		return "a PC without an FRE is found"
	case strings.HasSuffix(got, k.missing()):
		return "a PC is not found"
	}
	return "a PC has another rule"
}

// Rule returns the text that the driver should write for an FRE.
func (k Reader) Rule(r model.FRE) string {
	row := r.Row()
	switch {
	case k == Own:
		return " cfa " + RecoveryText(row.CFA) + " ra " + RecoveryText(row.RA) + " fp " + RecoveryText(row.FP)
	case k == Linux || k == LinuxARM64:
		return linuxRule(r, row)
	case row.Outermost():
		return " outermost"
	case k == Glibc && row.CFA.Reg == r.FDE().Section().ABI().SP:
		return " base sp" + offsets(r, row)
	case k == Glibc:
		return " base fp" + offsets(r, row)
	}
	return offsets(r, row)
}

// offsets returns what the functions of libsframe and glibc return for an FRE: offsets, and
// registers of s390x as version 2 encodes them.
func offsets(r model.FRE, row model.Row) string {
	s, out := r.FDE().Section(), ""
	encoded := s.ABI().LSBRegs && s.Version().Info().WordRegs
	for i, v := range []model.Recovery{row.CFA, row.RA, row.FP} {
		name := []string{"cfa", "ra", "fp"}[i]
		switch {
		case v.Kind == model.InRegister && encoded && i > 0:
			out += fmt.Sprintf(" %s %d", name, v.Reg<<1|1)
		case v.Kind != model.Unchanged:
			out += fmt.Sprintf(" %s %d", name, v.Offset)
		case i == 1 && r.NumWords() > 1 && r.FDEType() == model.SFRAME_FDE_TYPE_DEFAULT:
			out += " ra 0" // padding
		default:
			out += " " + name + " none"
		}
	}
	return out
}

// linuxRule returns the rules of an FRE as Linux numbers them.
func linuxRule(r model.FRE, row model.Row) string {
	if row.Outermost() {
		return Linux.missing() // it goes on by frame pointers: see the profile's notes
	}
	cfa := fmt.Sprint(2, " ", row.CFA.Offset, " ", row.CFA.Reg)
	switch abi := r.FDE().Section().ABI(); row.CFA.Reg {
	case abi.SP:
		cfa = fmt.Sprint("0 ", row.CFA.Offset, " 0")
	case abi.FP:
		cfa = fmt.Sprint("1 ", row.CFA.Offset, " 0")
	}
	return " found 0 step 0 warnings 0 cfa " + star(row.CFA) + cfa + " ra " + linuxValue(row.RA) + " fp " + linuxValue(row.FP)
}

// RecoveryText returns a recovery rule as the conformance suite writes it: undefined, unchanged, r7+16, *(cfa-8).
func RecoveryText(v model.Recovery) string {
	var base string
	switch v.Kind {
	case model.Undefined:
		return "undefined"
	case model.Unchanged:
		return "unchanged"
	case model.FromCFA:
		base = "cfa"
	case model.InRegister:
		base = fmt.Sprint("r", v.Reg)
	default:
		return "invalid"
	}
	if v.Deref {
		return fmt.Sprintf("*(%s%+d)", base, v.Offset)
	}
	return fmt.Sprintf("%s%+d", base, v.Offset)
}

func star(v model.Recovery) string {
	if v.Deref {
		return "*"
	}
	return ""
}

func linuxValue(v model.Recovery) string {
	switch v.Kind {
	case model.FromCFA:
		return fmt.Sprintf("*1 %d 0", v.Offset)
	case model.InRegister:
		return fmt.Sprintf("%s2 %d %d", star(v), v.Offset, v.Reg)
	}
	return "0 0 0"
}

// Ambiguous reports whether a valid section has no defined answers for the reader.
func (k Reader) Ambiguous(s *model.Section) bool {
	if s.StartsAscend() && !s.Disjoint() {
		return true // bisection finds one of the functions
	}
	for f := range s.FDEs() {
		switch distance := int64(f.Start() - s.Addr()); {
		case f.NumFREs() != int(f.ClaimedFREs()) || f.End() < f.Start():
			return true
		case k != Linux && distance < 0 != (f.Start() < s.Addr()): // of more than 2^63
			return true
		}
		for r := range f.FREs() {
			if f.Type() <= model.SFRAME_FDE_TYPE_FLEX && !r.Row().Valid() {
				return true // the data words make no sense
			}
		}
	}
	return false
}
