package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// Loss is something that a link has lost or changed.
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
	FDELost       LossKind = "fde-lost"       // the function is in the output, its FDE is not
	FDEChanged    LossKind = "fde-changed"    // the output's FDE says something else
	FieldDropped  LossKind = "field-dropped"  // a header field that the inputs agree on
	MixedInputs   LossKind = "mixed-inputs"   // inputs of several versions or ABIs
	NotComparable LossKind = "not-comparable" // no symbols to match functions by
)

// Link compares a linker's inputs with its output.
func Link(inputs []*Unit, output *Unit) []Loss {
	l := &linkCheck{out: output, byName: map[string][]*Function{}}
	for i := range output.Functions {
		f := &output.Functions[i]
		if f.Name != "" {
			l.byName[f.Name] = append(l.byName[f.Name], f)
		}
	}
	l.sections(inputs)
	if len(output.Sections) > 0 {
		l.headers(inputs)
		l.functions(inputs)
	}
	return l.losses
}

type linkCheck struct {
	out    *Unit
	byName map[string][]*Function
	losses []Loss
}

func (l *linkCheck) add(k LossKind, input, function, format string, args ...any) {
	l.losses = append(l.losses, Loss{k, input, function, fmt.Sprintf(format, args...)})
}

// sections tells whether the output has SFrame data at all, and which
// inputs bring none.
func (l *linkCheck) sections(inputs []*Unit) {
	with, fdes := 0, 0
	for _, u := range inputs {
		if len(u.Sections) > 0 {
			with++
			fdes += len(u.Functions)
		}
	}
	if with > 0 && len(l.out.Sections) == 0 {
		l.add(SectionGone, "", "", "%d inputs describe %d functions, the output has no SFrame data (%s)", with, fdes, l.out.Status)
	}
	for _, u := range inputs {
		if len(u.Sections) == 0 && with > 0 && len(u.Symbols) > 0 && (u.Status == reader.StatusNoSFrame || u.Status == reader.StatusEmpty) {
			l.add(NoData, u.Name(), "", "defines %d functions but has no SFrame data: traces stop there", len(u.Symbols))
		}
	}
}

// headers compares the header fields that a merge has to carry over.
func (l *linkCheck) headers(inputs []*Unit) {
	versions := map[string][]string{}
	aux, framePointer, all := 0, 0, 0
	for _, u := range inputs {
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
		l.add(MixedInputs, "", "", "the inputs are not of one kind: %s", strings.Join(parts, "; "))
	}
	for _, h := range l.out.Sections {
		if aux > 0 && h.AuxLen == 0 {
			l.add(FieldDropped, "", "", "%d of %d input sections have an auxiliary header, the output has none", aux, all)
		}
		if all > 0 && framePointer == all && h.Flags&model.SFRAME_F_FRAME_POINTER == 0 && h.Version < model.SFRAME_VERSION_3 {
			l.add(FieldDropped, "", "", "all inputs have SFRAME_F_FRAME_POINTER set, the output has not")
		}
	}
}

// some lists names, not more than a few.
func some(names []string) string {
	const few = 3
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// functions follows every function of the inputs into the output. Where
// several inputs define a name, as for an inline function, the output's FDE
// must be one of theirs.
func (l *linkCheck) functions(inputs []*Unit) {
	if len(l.out.Symbols) == 0 {
		l.add(NotComparable, "", "", "the output has no function symbols: its FDEs can't be matched with the inputs'")
		return
	}
	defined := map[string][]*Function{}
	origin := map[*Function]string{}
	var order []string
	for _, u := range inputs {
		for i := range u.Functions {
			f := &u.Functions[i]
			if f.Name == "" {
				continue
			}
			if defined[f.Name] == nil {
				order = append(order, f.Name)
			}
			defined[f.Name] = append(defined[f.Name], f)
			origin[f] = u.Name()
		}
	}
	for _, name := range order {
		l.follow(name, defined[name], origin)
	}
}

func (l *linkCheck) follow(name string, defs []*Function, origin map[*Function]string) {
	got := l.byName[name]
	if len(got) == 0 {
		if l.out.Symbols[name] {
			l.add(FDELost, origin[defs[0]], name, "the function is in the output, but no FDE describes it")
		}
		return // discarded with its code
	}
	for _, g := range got {
		if slices.ContainsFunc(defs, func(d *Function) bool { return len(diffFunction(d, g, l.out.ABI)) == 0 }) {
			continue
		}
		d := diffFunction(defs[0], g, l.out.ABI)[0]
		where := ""
		if d.To != "" {
			where = fmt.Sprintf(" at PCs %s to %s", d.From, d.To)
		}
		l.add(FDEChanged, origin[defs[0]], name, "the input says%s: %s; the output says: %s", where, d.A, d.B)
	}
}
