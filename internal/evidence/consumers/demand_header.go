package consumers

import (
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Demands on the header.
func headerTerms() map[Demand]term {
	return map[Demand]term{

		"version": onValue(model.HdrVersion, "ACCEPT", ", expected ACCEPT", func(v int64, a Arg) bool {
			return slices.Contains(a.Accept, model.Version(v))
		}),
		"abi-not-zero": onValue(model.HdrABI, "not 0", "", some),
		"has-fdes":     onValue(model.HdrNumFDEs, "not 0", "", some),
		"has-fres":     onValue(model.HdrNumFREs, "not 0", "", some),
		"few-fdes":     onValue(model.HdrNumFDEs, "below MAX", "", func(v int64, a Arg) bool { return v < a.Max }),

		"flags-known": onFlags("has no flags but FLAGS", "has %[1]s, but only FLAGS are accepted", func(h, a model.Flags) model.Flags { return h &^ a }),
		"flags-set":   onFlags("has FLAGS", "is 0x%[2]x, without %[1]s", func(h, a model.Flags) model.Flags { return a &^ h }),
		"flags-clear": onFlags("does not have FLAGS", "has %[1]s", func(h, a model.Flags) model.Flags { return h & a }),
		"abi":         onABI("ABIS", ", expected ABIS", true),
		"not-abi":     onABI("not ABIS", "", false),

		"fixed-ra": {"`sfh_cfa_fixed_ra_offset` is 0 if and only if the ABI has RA in the FREs", onSection(findFixedRA)},
		"fixed-fp": {"`sfh_cfa_fixed_fp_offset` is 0, or no FRE has an FP word", findFixedFP},
	}
}

func some(v int64, _ Arg) bool { return v != 0 }

// fault returns the first of the section's faults with one of the codes.
func (x *subject) fault(codes ...reader.FaultCode) *reader.Fault {
	for i := range x.f.Faults {
		if slices.Contains(codes, x.f.Faults[i].Code) {
			return &x.f.Faults[i]
		}
	}
	return nil
}

// onFault returns a demand that a fault violates. What may use the FDE, what was found and what was expected.
func onFault(what string, code reader.FaultCode) finder {
	return func(x *subject, _ Arg) *Verdict {
		f := x.fault(code)
		if f == nil {
			return nil
		}
		return faultHit(f, what, f.FDE, f.Got, f.Want)
	}
}

func field(f model.HeaderField, format string, args ...any) *Verdict {
	return at(f.Span(), format, args...)
}

// expect is field where ok is false.
func expect(ok bool, f model.HeaderField, format string, args ...any) *Verdict {
	if ok {
		return nil
	}
	return field(f, format, args...)
}

// onValue returns a demand on a field of the header: what it is, and what the message says besides its value.
func onValue(f model.HeaderField, is, more string, ok func(int64, Arg) bool) term {
	return term{"`" + f.String() + "` is " + is, onSection(func(s *model.Section, a Arg) *Verdict {
		h := s.Header()
		v := int64(h.Value(f))
		if ok(v, a) {
			return nil
		}
		return field(f, "%v is %d%s", f, v, a.fill(more))
	})}
}

// onFlags returns a demand on the flags. What may use the flags that bad returns, and all of them.
func onFlags(text, what string, bad func(h, a model.Flags) model.Flags) term {
	return term{"`sfp_flags` " + text, onSection(func(s *model.Section, a Arg) *Verdict {
		h := s.Header().Flags
		if wrong := bad(h, a.Flags); wrong != 0 {
			return field(model.HdrFlags, "sfp_flags "+a.fill(what), flagsText(wrong), uint8(h))
		}
		return nil
	})}
}

// onABI returns a demand on the ABI: that it is one of the parameter's, or none of them.
func onABI(is, more string, in bool) term {
	return term{"`sfh_abi_arch` is " + is, onSection(func(s *model.Section, a Arg) *Verdict {
		abi := s.Header().ABI
		if slices.Contains(a.ABIs, abi) == in {
			return nil
		}
		return field(model.HdrABI, "sfh_abi_arch is %s%s", abisText([]model.ABI{abi}), a.fill(more))
	})}
}

// findFixedRA finds headers that shift the data words: a reader that follows the
// header reads the FP word as RA, or the other way round.
func findFixedRA(s *model.Section, _ Arg) *Verdict {
	abi, fixed := s.ABI(), s.Header().FixedRAOffset
	return expect(!abi.Known() || s.NumFREs() == 0 || (fixed == 0) == abi.TracksRA(), model.HdrFixedRA, "sfh_cfa_fixed_ra_offset is %d on %s", fixed, abi.Name)
}

func findFixedFP(x *subject, _ Arg) *Verdict {
	if x.s == nil || x.s.Header().FixedFPOffset == 0 {
		return nil
	}
	fixed, need := x.s.Header().FixedFPOffset, 1 // the index of the FP word in an FRE of the default type, by the header
	if x.s.Header().FixedRAOffset == 0 {
		need = 2
	}
	return x.row(func(r model.FRE) bool { return r.NumWords() > need }, func(r model.FRE) *Verdict {
		return inRow(r, r.WordSpan(need), "an FRE has an FP word although sfh_cfa_fixed_fp_offset is %d", fixed)
	})
}
