package conformance

import (
	"slices"
)

// Faults of a linker's output, the most severe first.
const (
	Dropped      Outcome = "dropped"       // the inputs have sections, the output has none
	Concatenated Outcome = "concatenated"  // several sections in a row: readers see only the first one
	Damaged      Outcome = "damaged"       // the section of the output cannot be decoded
	StaleSizes   Outcome = "stale-sizes"   // the header's counts or lengths differ from the content
	WrongStart   Outcome = "wrong-start"   // the FDE of a function has the wrong start, for example by a wrong PCREL flag
	Missing      Outcome = "missing"       // a function of the output has no FDE
	Duplicate    Outcome = "duplicate"     // a function has several FDEs
	Stray        Outcome = "stray"         // an FDE for code that is not in the output, such as a discarded copy
	WrongRows    Outcome = "wrong-rows"    // the FREs of a function, or its size, differ from the input
	WrongFlags   Outcome = "wrong-flags"   // the flag FRAME_POINTER is set, but some inputs do not have it
	Unsorted     Outcome = "unsorted"      // the FDEs are not sorted although SORTED is set, or SORTED is clear
	StaleRelocs  Outcome = "stale-relocs"  // after -r: an FDE without its relocation, or a relocation without an FDE
	LostPLT      Outcome = "lost-plt"      // no FDE describes the PLT
	WrongSegment Outcome = "wrong-segment" // PT_GNU_SFRAME is missing or does not match the section
	Kept         Outcome = "kept"          // SFrame data that should have been discarded
)

// LinkFaults are the faults of a linker's output, the most severe first.
var LinkFaults = []Outcome{Dropped, Concatenated, Damaged, StaleSizes, WrongStart, Missing, Duplicate, Stray, WrongRows,
	WrongFlags, Unsorted, StaleRelocs, LostPLT, WrongSegment, Kept}

// clausesOf are the clauses of the manual that a fault violates.
var clausesOf = map[Outcome][]string{
	Concatenated: {"C-ALL-SEC-01"}, Damaged: {"C-ALL-SEC-01"}, StaleSizes: {"C-ALL-HDR-13", "C-ALL-HDR-14", "C-ALL-HDR-15"},
	WrongStart: {"C-V2E1-FLG-04"}, Duplicate: {"C-ALL-FLG-01"}, Unsorted: {"C-ALL-FLG-01"}, WrongFlags: {"C-V12-FLG-02"},
	WrongSegment: {"C-V2E1-OVR-03"},
}

// Link is a case for linkers: objects to link, and the functions that the output must describe.
type Link struct {
	Name    string `json:"name"`
	About   string `json:"about"`
	Verdict Duty   `json:"verdict"` // Accept, or Either: the linker may refuse, but must not lose anything
	Arch    string `json:"arch"`
	Endian  string `json:"endian"` // EL or EB
	// Inputs are files of the suite.
	Inputs []string `json:"inputs"`
	// Steps are the arguments of each run of the linker. The last run writes "out".
	Steps [][]string `json:"steps"`
	// Functions are all functions of the inputs. The output must have the symbols of those that must not be
	// discarded, and must describe each function whose symbol it has.
	Functions []Linked `json:"functions"`
	// FramePointer says that all inputs have the flag.
	FramePointer bool `json:"frame_pointer"`
	// Checks are additional faults to look for in this case.
	Checks []Outcome `json:"checks,omitempty"`
}

// Linked is a function with the contents of its FDE.
type Linked struct {
	Symbol string `json:"symbol"`
	Size   uint32 `json:"size"`
	PCType string `json:"pc_type"`
	Signal *bool  `json:"signal,omitempty"`
	Key    string `json:"pauth_key,omitempty"`
	Rows   []Row  `json:"rows"`
	// Discarded reports whether a linker may discard the function.
	Discarded bool `json:"discarded,omitempty"`
}

// LinkedOf returns the function of an FDE.
func LinkedOf(symbol string, f Function) Linked {
	return Linked{Symbol: symbol, Size: f.Size, PCType: f.PCType, Signal: f.Signal, Key: f.Key, Rows: f.Rows}
}

// same reports whether an FDE states the same. The version of the output may have less to state, or more.
func (l *Linked) same(f Function) bool {
	signal := l.Signal == nil || f.Signal == nil || *l.Signal == *f.Signal
	same := func(a, b Row) bool {
		mangled := a.Mangled == nil || b.Mangled == nil || *a.Mangled == *b.Mangled
		return a.Start == b.Start && a.CFA == b.CFA && a.RA == b.RA && a.FP == b.FP && mangled
	}
	return l.Size == f.Size && l.PCType == f.PCType && signal && l.Key == f.Key && slices.EqualFunc(l.Rows, f.Rows, same)
}

func (l *Link) checks(o Outcome) bool { return slices.Contains(l.Checks, o) }

// result returns the result of a run.
func (l *Link) result(o Outcome, detail string) Result {
	return Result{Case: &Case{Name: l.Name, Duty: l.Verdict, Clauses: clausesOf[o]}, Outcome: o, Detail: detail}
}
