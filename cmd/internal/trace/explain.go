package trace

import (
	"fmt"
	"io"

	"github.com/sframe-lint/sframe-lint/internal/corefile"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/unwind"
)

// Explained is a frame whose step to the caller is explained.
type Explained struct {
	Frame  unwind.Frame
	Module *corefile.Module // nil: no module has the PC
	Next   unwind.Frame     // the caller
	Stop   *unwind.Stop     // why there is none; nil if there is one
	took   step
}

// Shown returns the path of the file with the frame's code, "" if there is none.
func (x *Explained) Shown() string {
	if x.Module == nil || x.Module.File == nil {
		return ""
	}
	return x.Module.Path
}

// Address returns the address that was looked up, as one of the module's file.
func (x *Explained) Address() uint64 { return x.Frame.Lookup - x.Module.Bias }

// Write writes why the frame's row was chosen, and where it reads memory.
func (x *Explained) Write(w io.Writer, abi model.ABIInfo) error {
	f := &x.Frame
	say := func(format string, args ...any) { fmt.Fprintf(w, "    "+format+"\n", args...) }
	fmt.Fprintf(w, "\nframe #%d\n", f.Index)
	if f.Exact {
		say("PC 0x%x is the next instruction: it is looked up itself", f.PC)
	} else {
		say("PC 0x%x is after a call: the byte before it, 0x%x, is looked up, which is in the call", f.PC, f.Lookup)
	}
	if f.FPKnown {
		say("%s = 0x%x, %s = 0x%x", abi.RegName(abi.SP), f.SP, abi.RegName(abi.FP), f.FP)
	} else {
		say("%s = 0x%x, %s is not known", abi.RegName(abi.SP), f.SP, abi.RegName(abi.FP))
	}
	if x.Module != nil {
		say("%s is loaded with a bias of 0x%x: in the file, that is 0x%x", clean(x.Module.Name), x.Module.Bias, x.Address())
	}
	x.row(say, abi)
	if why := x.took.instead(); why != "" {
		r := &x.took.rules
		say("%s: the step is made by %s, with CFA=%s RA=%s FP=%s", why, x.took.by, r.CFA.Format(abi), r.RA.Format(abi), r.FP.Format(abi))
	}
	if x.took.by == BySignal {
		say("it is a signal trampoline: the registers that the kernel saved are those of the interrupted function")
	}
	if x.Stop != nil {
		say("here the backtrace ends: %s", x.Stop.Error())
	} else {
		say("the caller's PC is 0x%x, its %s 0x%x", x.Next.PC, abi.RegName(abi.SP), x.Next.SP)
	}
	return nil
}

// row explains the row and the words that it reads.
func (x *Explained) row(say func(string, ...any), abi model.ABIInfo) {
	f := &x.Frame
	switch {
	case !f.HasModule:
		say("no file of the program contains it")
		return
	case !f.HasFDE && !f.Trampoline:
		say("no FDE of the file contains it")
		return
	case !f.HasFDE:
		return
	}
	say("FDE %d has it: 0x%x to 0x%x", f.FDE.Index(), f.FDE.Start(), f.FDE.End())
	if !f.HasFRE {
		say("the FDE has no FRE for it")
		return
	}
	sp := f.FRE.Span()
	say("FRE %d starts at +0x%x and is the last one that does not start after it: bytes 0x%x+%d of the section", f.FRE.Index(), f.FRE.Start(), sp.Off, sp.Len)
	row := f.FRE.Row()
	if row.Outermost() {
		say("it says that this is the outermost frame")
		return
	}
	cfa, known := uint64(0), x.Stop == nil
	if known {
		cfa = x.Next.SP - uint64(abi.SPOffset)
	}
	read := func(name string, v model.Recovery) {
		at := ""
		switch {
		case v.Kind == model.FromCFA && v.Deref && known:
			at = fmt.Sprintf(": the word at 0x%x", cfa+uint64(v.Offset))
		case v.Kind == model.InRegister && v.Reg == abi.SP && v.Deref:
			at = fmt.Sprintf(": the word at 0x%x", f.SP+uint64(v.Offset))
		case v.Kind == model.InRegister && v.Reg == abi.FP && v.Deref && f.FPKnown:
			at = fmt.Sprintf(": the word at 0x%x", f.FP+uint64(v.Offset))
		case v.Kind == model.InRegister && v.Reg == abi.SP && !v.Deref:
			at = fmt.Sprintf(" = 0x%x", f.SP+uint64(v.Offset))
		case v.Kind == model.InRegister && v.Reg == abi.FP && !v.Deref && f.FPKnown:
			at = fmt.Sprintf(" = 0x%x", f.FP+uint64(v.Offset))
		}
		say("%s %s%s", name, v.Format(abi), at)
	}
	read("CFA", row.CFA)
	read("RA", row.RA)
	read("FP", row.FP)
}
