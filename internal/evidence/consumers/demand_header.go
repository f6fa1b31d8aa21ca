package consumers

import (
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Demands on the header.
func headerTerms() map[Demand]term {
	return map[Demand]term{
		"whole-header": {plain("the section has all 28 bytes of the header"), func(x *subject, _ Arg) *hit {
			if f := x.fault(reader.TooShort); f != nil {
				return at(f.Span, "the section has %d bytes, but a header has %d", f.Got, f.Want)
			}
			return nil
		}},
		"magic": {plain("`sfp_magic` is 0xdee2 in either byte order"), func(x *subject, _ Arg) *hit {
			if f := x.fault(reader.BadMagic); f != nil {
				return at(f.Span, "sfp_magic is 0x%04x, expected 0x%x", f.Got, f.Want)
			}
			return nil
		}},
		"version": {func(a Arg) string { return "`sfp_version` is " + versionsText(a.Accept) }, onHeader(model.HdrVersion,
			func(h model.Header, a Arg) bool { return slices.Contains(a.Accept, h.Version) },
			func(h model.Header, a Arg) string {
				return fmt.Sprintf("sfp_version is %d, expected %s", h.Version, versionsText(a.Accept))
			})},
		"flags-known": {func(a Arg) string { return "`sfp_flags` has no flags but " + flagsText(a.Flags) }, onHeader(model.HdrFlags,
			func(h model.Header, a Arg) bool { return h.Flags&^a.Flags == 0 },
			func(h model.Header, a Arg) string {
				return fmt.Sprintf("sfp_flags has %s, but it accepts only %s", flagsText(h.Flags&^a.Flags), flagsText(a.Flags))
			})},
		"flags-set": {func(a Arg) string { return "`sfp_flags` has " + flagsText(a.Flags) }, onHeader(model.HdrFlags,
			func(h model.Header, a Arg) bool { return h.Flags&a.Flags == a.Flags },
			func(h model.Header, a Arg) string {
				return fmt.Sprintf("sfp_flags is 0x%x, without %s", uint8(h.Flags), flagsText(a.Flags&^h.Flags))
			})},
		"flags-clear": {func(a Arg) string { return "`sfp_flags` does not have " + flagsText(a.Flags) }, onHeader(model.HdrFlags,
			func(h model.Header, a Arg) bool { return h.Flags&a.Flags == 0 },
			func(h model.Header, a Arg) string { return fmt.Sprintf("sfp_flags has %s", flagsText(h.Flags&a.Flags)) })},
		"abi": {func(a Arg) string { return "`sfh_abi_arch` is " + abisText(a.ABIs) }, onHeader(model.HdrABI,
			func(h model.Header, a Arg) bool { return slices.Contains(a.ABIs, h.ABI) },
			func(h model.Header, a Arg) string {
				return fmt.Sprintf("sfh_abi_arch is %s, expected %s", abisText([]model.ABI{h.ABI}), abisText(a.ABIs))
			})},
		"not-abi": {func(a Arg) string { return "`sfh_abi_arch` is not " + abisText(a.ABIs) }, onHeader(model.HdrABI,
			func(h model.Header, a Arg) bool { return !slices.Contains(a.ABIs, h.ABI) },
			func(_ model.Header, a Arg) string { return fmt.Sprintf("sfh_abi_arch is %s", abisText(a.ABIs)) })},
		"abi-not-zero": {plain("`sfh_abi_arch` is not 0"), onHeader(model.HdrABI,
			func(h model.Header, _ Arg) bool { return h.ABI != 0 },
			func(model.Header, Arg) string { return "sfh_abi_arch is 0" })},
		"no-fixed-fp": {plain("`sfh_cfa_fixed_fp_offset` is 0"), onHeader(model.HdrFixedFP,
			func(h model.Header, _ Arg) bool { return h.FixedFPOffset == 0 },
			func(h model.Header, _ Arg) string {
				return fmt.Sprintf("sfh_cfa_fixed_fp_offset is %d", h.FixedFPOffset)
			})},
		"fixed-ra": {plain("`sfh_cfa_fixed_ra_offset` is 0 if and only if the ABI has RA in the FREs"), findFixedRA},
		"fixed-fp": {plain("`sfh_cfa_fixed_fp_offset` is 0, or no FRE has an FP word"), findFixedFP},
		"offsets-of-abi": {plain("the fixed FP and RA offsets are those of the ABI"), onSection(func(s *model.Section, _ Arg) *hit {
			h, abi := s.Header(), s.ABI()
			switch {
			case !abi.Known():
				return nil
			case h.FixedRAOffset != abi.FixedRA:
				return field(model.HdrFixedRA, "sfh_cfa_fixed_ra_offset is %d, but the ABI has %d", h.FixedRAOffset, abi.FixedRA)
			case h.FixedFPOffset != abi.FixedFP:
				return field(model.HdrFixedFP, "sfh_cfa_fixed_fp_offset is %d, but the ABI has %d", h.FixedFPOffset, abi.FixedFP)
			}
			return nil
		})},
		"no-aux-header": {plain("`sfh_auxhdr_len` is 0"), onHeader(model.HdrAuxLen,
			func(h model.Header, _ Arg) bool { return h.AuxLen == 0 },
			func(h model.Header, _ Arg) string { return fmt.Sprintf("sfh_auxhdr_len is %d, expected 0", h.AuxLen) })},
		"has-fdes": {plain("`sfh_num_fdes` is not 0"), onHeader(model.HdrNumFDEs,
			func(h model.Header, _ Arg) bool { return h.NumFDEs > 0 },
			func(model.Header, Arg) string { return "sfh_num_fdes is 0" })},
		"has-fres": {plain("`sfh_num_fres` is not 0"), onHeader(model.HdrNumFREs,
			func(h model.Header, _ Arg) bool { return h.NumFREs > 0 },
			func(model.Header, Arg) string { return "sfh_num_fres is 0" })},
		"few-fdes": {func(a Arg) string { return fmt.Sprintf("`sfh_num_fdes` is below %d", a.Max) }, onHeader(model.HdrNumFDEs,
			func(h model.Header, a Arg) bool { return int64(h.NumFDEs) < a.Max },
			func(h model.Header, _ Arg) string { return fmt.Sprintf("sfh_num_fdes is %d", h.NumFDEs) })},
	}
}

// fault returns the first of the section's faults with one of the codes.
func (x *subject) fault(codes ...reader.FaultCode) *reader.Fault {
	for i := range x.f.Faults {
		if slices.Contains(codes, x.f.Faults[i].Code) {
			return &x.f.Faults[i]
		}
	}
	return nil
}

func field(f model.HeaderField, format string, args ...any) *hit {
	return at(f.Span(), format, args...)
}

// onHeader returns a demand on a field of the header, and says what is there otherwise.
func onHeader(f model.HeaderField, ok func(model.Header, Arg) bool, what func(model.Header, Arg) string) func(*subject, Arg) *hit {
	return onSection(func(s *model.Section, a Arg) *hit {
		if ok(s.Header(), a) {
			return nil
		}
		return field(f, "%s", what(s.Header(), a))
	})
}

// findFixedRA finds headers that shift the data words: a reader that follows the
// header reads the FP word as RA, or the other way round.
func findFixedRA(x *subject, _ Arg) *hit {
	if x.s == nil || !x.s.ABI().Known() || x.s.NumFREs() == 0 {
		return nil
	}
	fixed := x.s.Header().FixedRAOffset
	if (fixed == 0) == x.s.ABI().TracksRA() {
		return nil
	}
	return field(model.HdrFixedRA, "sfh_cfa_fixed_ra_offset is %d on %s", fixed, x.s.ABI().Name)
}

func findFixedFP(x *subject, _ Arg) *hit {
	if x.s == nil || x.s.Header().FixedFPOffset == 0 {
		return nil
	}
	fixed := x.s.Header().FixedFPOffset
	need := fpWord(x.s)
	return x.row(func(r model.FRE) bool { return r.NumWords() > need }, func(r model.FRE) *hit {
		return inRow(r, r.WordSpan(need), "an FRE has an FP word although sfh_cfa_fixed_fp_offset is %d", fixed)
	})
}

// fpWord returns the index of the FP word in an FRE of the default type,
// according to the header.
func fpWord(s *model.Section) int {
	if s.Header().FixedRAOffset == 0 {
		return 2
	}
	return 1
}
