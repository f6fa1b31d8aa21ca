package cfi

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// Obstacle is CFI that no FRE of a version can express.
type Obstacle struct {
	Why  string     // a clause: "the CFA counts from rbx"
	Code model.Span // the instructions of the row; Len 0: those of the CIE
	// Ignored: assemblers write an FDE all the same.
	Ignored bool
}

// UnknownAugmentation is why an FDE is not judged: what its rows are is not known.
const UnknownAugmentation = "the augmentation of its CIE is unknown"

// Obstacle returns the first CFI of a function that a section of a version cannot express, and whether there is any.
// Such a function has no FDE, or one with less information. flex allows flexible FDEs, which some producers write only
// for some ABIs.
func (f *FDE) Obstacle(version model.Version, flex bool) (Obstacle, bool) {
	if f.CIE.startErr.Code == CIEAugmentation {
		return Obstacle{Why: UnknownAugmentation}, true
	}
	v := version.Info()
	v.Flex = v.Flex && flex
	var run Runner
	var row Row
	rows := uint32(0)
	for run.Reset(f); run.Next(&row); rows++ {
		r := f.Recover(&row, row.Start)
		if why := f.obstacle(&v, &row, &r); why != "" {
			return Obstacle{Why: why, Code: row.Code}, true
		}
		if why := f.ignored(&row); why != "" {
			if d, _ := f.Dropped(GAS246); strings.Contains(d.Says, "SP reg ") {
				why = fmt.Sprintf("SP has a rule of its own; %v says %q", GAS246, d.Says)
			}
			return Obstacle{why, row.Code, true}, true
		}
		if abi := &f.s.in.ABI; row.RA.Kind == Unspecified && !abi.TracksRA() && f.CIE.RA == abi.RA {
			return Obstacle{"RA has no rule; assemblers treat it as saved", row.Code, true}, true
		}
		if rows == v.MaxFREs {
			return Obstacle{Why: fmt.Sprintf("the function has more than %d rows", rows), Code: row.Code}, true
		}
	}
	return Obstacle{}, false
}

// ignored returns a statement of a row that assemblers do not look at, "" for none.
func (f *FDE) ignored(row *Row) string {
	if k := row.SP.Kind; k != Unspecified && k != SameValue && k != Unknown && row.RA.Kind != Undefined && !f.s.in.ABI.LSBRegs {
		return "assemblers ignore the rule for SP"
	}
	return ""
}

func (f *FDE) obstacle(v *model.VersionInfo, row *Row, r *Recovered) string {
	abi := &f.s.in.ABI
	switch {
	case r.CFAReason != Comparable:
		return "CFA: " + r.CFAReason.String()
	case r.RA.Kind == model.Undefined:
		if !v.Errata2 {
			return "RA is undefined"
		}
		return ""
	case r.RAReason != Comparable:
		return "RA: " + r.RAReason.String()
	case r.FPReason != Comparable:
		return "FP: " + r.FPReason.String()
	case r.FP.Kind == model.Undefined:
		return "FP is undefined"
	case row.Sign&RAUnknown != 0:
		return "CFI that is not evaluated states whether RA is signed"
	case row.Sign&RASignedPC != 0:
		return "RA is signed with the PC"
	case f.CIE.Signal && !v.Signal:
		return "it is a signal frame"
	}
	return inexpressible(v, abi, r)
}

// inexpressible returns why FREs of a version cannot state recovery rules, "" if they can.
func inexpressible(v *model.VersionInfo, abi *model.ABIInfo, r *Recovered) string {
	for _, x := range [...]struct {
		name string
		rule model.Recovery
	}{{"the CFA", r.CFA}, {"RA", r.RA}, {"FP", r.FP}} {
		off := x.rule.Offset
		if x.name == "the CFA" {
			off = (off - abi.CFAAdjust) / abi.CFAScale // as its word has it
		}
		if off != int64(int32(off)) {
			return fmt.Sprintf("the offset %d of %s is too large", x.rule.Offset, x.name)
		}
	}
	switch {
	case cfaOutside(v, abi, r.CFA):
		return "the CFA is " + r.CFA.Format(*abi)
	case registerOutside(v, abi, r.RA, !abi.TracksRA()):
		return "RA is " + r.RA.Format(*abi)
	case registerOutside(v, abi, r.FP, false):
		return "FP is " + r.FP.Format(*abi)
	case !v.Flex && abi.TracksRA() && !abi.LSBRegs && saved(r.FP) && !saved(r.RA):
		return "FP is saved and RA is not"
	}
	return ""
}

func saved(r model.Recovery) bool { return r.Kind != model.Unchanged }

// cfaOutside reports whether a version has no words for a CFA.
func cfaOutside(v *model.VersionInfo, abi *model.ABIInfo, r model.Recovery) bool {
	return !v.Flex && (r.Deref || r.Reg != abi.SP && r.Reg != abi.FP)
}

// registerOutside reports whether a version has no word for the rule of RA or FP.
// fixed says that FREs of the default type have it always saved at one offset.
func registerOutside(v *model.VersionInfo, abi *model.ABIInfo, r model.Recovery, fixed bool) bool {
	switch {
	case v.Flex:
		return false
	case fixed:
		return r != model.Recovery{Kind: model.FromCFA, Deref: true, Offset: int64(abi.FixedRA)}
	case r.Kind == model.InRegister:
		return r.Deref || r.Offset != 0 || !abi.LSBRegs || !v.WordRegs
	case r.Kind == model.FromCFA:
		return !r.Deref
	}
	return false
}
