// Package sound tells rules whether what they build upon can be trusted.
// Where it can't, one rule of another family says so, and everything read
// from there would be noise.
package sound

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/rules"
)

// Layout tells whether the header leads to the FDEs and the FREs: the
// sub-sections do not overlap, and nothing but zeros lies in front of them.
func Layout(s *model.Section) bool {
	if !s.Version().Known() {
		return false
	}
	fdes, fres := s.FDESubsection(), s.FRESubsection()
	if fres.Off < fdes.End() {
		return false
	}
	for _, g := range Gaps(s, model.Span{Len: fres.Off}) {
		if g.NonZero {
			return false
		}
	}
	return true
}

// Gaps returns the gaps of the section, cut to a part of it. A gap in front
// of the FREs may go on in them, or behind them where there are none.
func Gaps(s *model.Section, part model.Span) []model.Gap {
	var out []model.Gap
	for _, g := range s.Gaps() {
		off := max(g.Off, part.Off)
		cut := model.Span{Off: off, Len: min(g.End(), part.End()) - off}
		if cut.Len <= 0 {
			continue
		}
		zero := !g.NonZero || cut != g.Span && !slices.ContainsFunc(s.Bytes(cut), func(b byte) bool { return b != 0 })
		out = append(out, model.Gap{Span: cut, NonZero: !zero})
	}
	return out
}

// ABI returns the section's ABI where nothing contradicts sfh_abi_arch: the
// version, the byte order, the fixed offsets and the ELF header.
func ABI(c *rules.Context) (model.ABIInfo, bool) {
	s := c.Section
	abi := s.ABI()
	ok := abi.InVersion(s.Version()) && abi.Big == s.BigEndian() && abi.FixedRA == s.Header().FixedRAOffset &&
		abi.FixedFP == s.Header().FixedFPOffset
	if e := c.Object.ELF; e != nil && e.Machine != abi.Machine {
		ok = false
	}
	return abi, ok
}

// Rule makes a rule that is run on sections with a sound layout.
func Rule(r rules.Rule, run func(*rules.Context)) *rules.Rule {
	return rules.New(r, func(c *rules.Context) {
		if Layout(c.Section) {
			run(c)
		}
	})
}
