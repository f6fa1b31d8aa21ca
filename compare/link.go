package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/escape"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Loss is something that a link lost or changed.
type Loss struct {
	Kind     LossKind `json:"kind"`
	Input    string   `json:"input,omitempty"` // the file and member that had it
	Function string   `json:"function,omitempty"`
	Message  string   `json:"message"`
}

// LossKind is the kind of a loss.
type LossKind string

// Kinds of loss.
const (
	SectionGone   LossKind = "section-gone"   // inputs have SFrame data, the output has none
	NoData        LossKind = "input-without"  // an input that defines functions has no SFrame data
	FDELost       LossKind = "fde-lost"       // the function is in the output, but its FDE is not
	FDEChanged    LossKind = "fde-changed"    // the FDEs of input and output differ
	FieldDropped  LossKind = "field-dropped"  // a header field on which all inputs agree
	MixedInputs   LossKind = "mixed-inputs"   // inputs of several versions or ABIs
	NotMerged     LossKind = "not-merged"     // the sections are concatenated
	NotComparable LossKind = "not-comparable" // no symbols to match functions by
)

// LinkReport describes what a link did to the SFrame data of its inputs.
type LinkReport struct {
	Schema string `json:"schema"`
	Output string `json:"output"`
	// Described is the number of functions that the inputs describe. Of these,
	// Kept have the same description in the output, and Unseen have no symbol
	// in the output: the linker removed the code or the name.
	Described int    `json:"described"`
	Kept      int    `json:"kept"`
	Unseen    int    `json:"unseen"`
	Losses    []Loss `json:"losses"`
}

// Link compares a linker's inputs, relocatable files and members of
// archives, with its output.
func Link(inputs []*Unit, output *Unit) *LinkReport {
	l := &linkCheck{
		out: output, byName: map[string][]*Function{},
		report: &LinkReport{Schema: "sframe-lint/link/1", Output: escape.UTF8(output.Name()), Losses: []Loss{}},
	}
	for i := range output.Functions {
		f := &output.Functions[i]
		for _, name := range f.names() {
			l.byName[name] = append(l.byName[name], f)
		}
	}
	for _, u := range inputs {
		if l.used(u) {
			l.inputs = append(l.inputs, u)
		}
	}
	l.sections()
	if len(output.Sections) > 0 {
		l.headers()
		l.functions()
	}
	return l.report
}

type linkCheck struct {
	inputs []*Unit
	out    *Unit
	byName map[string][]*Function
	report *LinkReport
}

func (l *linkCheck) add(k LossKind, input, function, format string, args ...any) {
	l.report.Losses = append(l.report.Losses, Loss{
		k, escape.UTF8(input), shown(function), escape.UTF8(escape.Cut(fmt.Sprintf(format, args...), escape.MaxMessage))})
}

// used reports whether an input may be part of the output. A linker uses only
// the members of an archive that it needs: if nothing of a member is in the
// output, it was not used.
func (l *linkCheck) used(u *Unit) bool {
	if u.Member == "" || len(l.out.Symbols) == 0 {
		return true
	}
	for name := range u.Symbols {
		if l.out.Symbols[name] != nil {
			return true
		}
	}
	return false
}

// sections checks whether the output has SFrame data, and which inputs have
// none.
func (l *linkCheck) sections() {
	with, fdes := 0, 0
	for _, u := range l.inputs {
		if len(u.Sections) > 0 {
			with++
			fdes += len(u.Functions) + u.Unknown
		}
	}
	if with == 0 {
		return
	}
	if len(l.out.Sections) == 0 {
		l.add(SectionGone, "", "", "%s %s, but the output has no SFrame data (%s)",
			count(with, "input describes", "inputs describe"), count(fdes, "function", "functions"), l.out.Status)
	}
	for _, u := range l.inputs {
		if len(u.Sections) == 0 && len(u.Symbols) > 0 && (u.Status == reader.StatusNoSFrame || u.Status == reader.StatusEmpty) {
			l.add(NoData, u.Name(), "", "defines %s but has no SFrame data: traces stop there", count(len(u.Symbols), "function", "functions"))
		}
	}
}

// headers compares the header fields that a merge has to carry over.
func (l *linkCheck) headers() {
	versions := map[string][]string{}
	aux, framePointer, all := 0, 0, 0
	for _, u := range l.inputs {
		for _, h := range u.Sections {
			v := fmt.Sprintf("%v %s", h.Version, model.LookupABI(h.ABI).Name)
			versions[v] = append(versions[v], u.Name())
			all++
			if h.AuxLen > 0 {
				aux++
			}
			if h.Flags&model.SFRAME_F_FRAME_POINTER != 0 {
				framePointer++
			}
		}
	}
	if len(versions) > 1 {
		var parts []string
		for v, names := range versions {
			parts = append(parts, fmt.Sprintf("%s: %s", v, some(names)))
		}
		slices.Sort(parts)
		l.add(MixedInputs, "", "", "the inputs differ: %s", strings.Join(parts, "; "))
	}
	for _, h := range l.out.Sections {
		if h.Unmerged > 0 {
			l.add(NotMerged, "", "", "the linker has concatenated the inputs' sections: consumers read the first and miss the %d after it", h.Unmerged)
		}
		if aux > 0 && h.AuxLen == 0 {
			l.add(FieldDropped, "", "", "%d of %d input sections have an auxiliary header, but the output has none", aux, all)
		}
		if all > 0 && framePointer == all && h.Flags&model.SFRAME_F_FRAME_POINTER == 0 && model.DefinedFlags(h.Version)&model.SFRAME_F_FRAME_POINTER != 0 {
			l.add(FieldDropped, "", "", "SFRAME_F_FRAME_POINTER is set in all inputs but not in the output")
		}
	}
}

// some lists a few names.
func some(names []string) string {
	const few = 3
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// definition is a function of an input.
type definition struct {
	*Function
	input *Unit
}

// functions follows every function of the inputs into the output.
func (l *linkCheck) functions() {
	defined := map[string][]definition{}
	var order []string
	for _, u := range l.inputs {
		for i := range u.Functions {
			f := &u.Functions[i]
			l.report.Described++
			if f.Name == "" {
				l.report.Unseen++
				continue
			}
			if defined[f.Name] == nil {
				order = append(order, f.Name)
			}
			defined[f.Name] = append(defined[f.Name], definition{f, u})
		}
	}
	if len(l.out.Symbols) == 0 {
		l.report.Unseen = l.report.Described
		l.add(NotComparable, "", "", "the output has no function symbols: its FDEs cannot be matched with those of the inputs")
		return
	}
	for _, name := range order {
		l.follow(name, defined[name])
	}
}

// follow looks for the functions of a name. Several inputs may define it:
// an inline function, of which the linker keeps one, or file-local functions,
// of which it keeps all. So the output's FDEs must each be one of theirs, and
// there must be no more places without one than the inputs account for.
func (l *linkCheck) follow(name string, defs []definition) {
	places := l.out.Symbols[name]
	if len(places) == 0 {
		l.report.Unseen += len(defs)
		return // discarded with its code
	}
	got := l.byName[name]
	bare := 0 // number of places without an FDE
	for _, u := range l.inputs {
		bare += len(u.Symbols[name])
	}
	bare -= len(defs)
	losses := len(l.report.Losses)
	if lost := len(places) - len(got) - bare; lost > 0 {
		l.add(FDELost, defs[0].input.Name(), name, "the function is in the output, but no FDE describes it")
	}
	kept := 0
	for _, g := range got {
		if slices.ContainsFunc(defs, func(d definition) bool { return len(diffFunction(d.Function, g, l.out.ABI)) == 0 }) {
			kept++
			continue
		}
		d := diffFunction(defs[0].Function, g, l.out.ABI)[0]
		where := ""
		if d.To != "" {
			where = fmt.Sprintf(" at PCs %s to %s", d.From, d.To)
		}
		l.add(FDEChanged, defs[0].input.Name(), name, "the input has%s: %s; the output has: %s", where, d.A, d.B)
	}
	if len(l.report.Losses) == losses {
		kept = len(defs) // those that the linker has merged into one are kept
	}
	l.report.Kept += min(kept, len(defs))
}

// count returns a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
