package unwind

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
)

// Reason is why a trace ends.
type Reason string

// Reasons. After the first two a trace is complete.
const (
	Outermost     Reason = "outermost"     // the SFrame data state that RA is undefined
	ZeroPC        Reason = "zero-pc"       // the return address is 0
	NoModule      Reason = "no-module"     // no module contains the PC
	NoSection     Reason = "no-section"    // the module has no SFrame section of the ABI
	NoFDE         Reason = "no-fde"        // no FDE covers the PC
	NoFRE         Reason = "no-fre"        // the FDE has no FRE for the PC
	SignalFrame   Reason = "signal-frame"  // an FDE of a signal frame has no FREs
	Invalid       Reason = "invalid"       // the FRE has no valid rules
	TopmostOnly   Reason = "topmost-only"  // a rule needs a register that a younger frame may have changed
	UnsavedRA     Reason = "unsaved-ra"    // RA is unchanged in a frame that is not the topmost one
	NoRegister    Reason = "no-register"   // the value of a register is not known
	Unreadable    Reason = "unreadable"    // memory could not be read
	NotAdvancing  Reason = "not-advancing" // the caller's SP is too low for an older frame
	Loop          Reason = "loop"          // the frame occurred before
	TooManyFrames Reason = "too-many-frames"
)

// Stop is the end of a trace.
type Stop struct {
	Reason Reason
	// Value is the missing value: CFA, RA or FP. It is empty if the reason does not involve a value.
	Value string
	Addr  uint64 // Unreadable: the address; NotAdvancing: the caller's SP
	Reg   uint32 // TopmostOnly, UnsavedRA and NoRegister: the DWARF number of the register
	Err   error  // Unreadable: the error of Memory; NoRegister: why FP was lost, nil if it was never known

	reg string
}

// Complete reports whether the trace reached the outermost frame.
func (s *Stop) Complete() bool { return s.Reason == Outermost || s.Reason == ZeroPC }

// Error returns the reason in words.
func (s *Stop) Error() string {
	switch s.Reason {
	case Outermost:
		return "outermost frame"
	case ZeroPC:
		return "the return address is 0"
	case NoModule:
		return "no module contains the PC"
	case NoSection:
		return "the module has no SFrame data"
	case NoFDE:
		return "no FDE covers the PC"
	case NoFRE:
		return "no FRE covers the PC"
	case SignalFrame:
		return "the FDE of the signal frame has no FREs"
	case Invalid:
		return "the FRE has no valid rule for " + s.Value
	case TopmostOnly:
		return fmt.Sprintf("the rule for %s needs %s, which is known in the topmost frame only", s.Value, s.reg)
	case UnsavedRA:
		return fmt.Sprintf("RA is still in %s, which is known in the topmost frame only", s.reg)
	case NoRegister:
		if s.Err != nil {
			return fmt.Sprintf("the rule for %s needs %s, which is not known: %s", s.Value, s.reg, s.Err)
		}
		return fmt.Sprintf("the rule for %s needs %s, which is not known", s.Value, s.reg)
	case Unreadable:
		return fmt.Sprintf("%s: the memory at 0x%x cannot be read", s.Value, s.Addr)
	case NotAdvancing:
		return fmt.Sprintf("the caller's SP 0x%x is not above that of this frame", s.Addr)
	case Loop:
		return "the frames repeat"
	case TooManyFrames:
		return "limit of frames"
	}
	return string(s.Reason)
}

// Unwrap returns Err.
func (s *Stop) Unwrap() error { return s.Err }

// missing returns why a procedure has no FRE, nil if it has one with rules.
func (p *Procedure) missing() *Stop {
	switch {
	case !p.HasModule:
		return &Stop{Reason: NoModule}
	case !p.HasFDE && (len(p.Module.Sections) == 0 || p.foreign):
		return &Stop{Reason: NoSection}
	case !p.HasFDE:
		return &Stop{Reason: NoFDE}
	case p.HasFRE:
		return nil
	case p.FDE.HasAttr() && p.FDE.ClaimedFREs() == 0 && p.FDE.Section().Version().Info().OutermostFDE:
		if p.FDE.Signal() {
			return &Stop{Reason: SignalFrame}
		}
		if p.FDE.Type() == model.SFRAME_FDE_TYPE_DEFAULT {
			return &Stop{Reason: Outermost}
		}
	}
	return &Stop{Reason: NoFRE}
}
