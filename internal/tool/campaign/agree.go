package campaign

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sframe-lint/sframe-lint/internal/evidence/clauses"
	"github.com/sframe-lint/sframe-lint/internal/tool/dump"
	"github.com/sframe-lint/sframe-lint/internal/tool/plain"
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
)

// reading is what a target prints of an input, of which it reports nothing.
type reading struct {
	target  *Target
	adapter *adapter
	in      *Input
	funcs   []dump.Func
}

// reading returns what a run has printed, nil if it has reported something or if there is nothing to
// compare: valid sections are held against what they state.
func (t *Target) reading(in *Input, r *run, v ending) *reading {
	a := t.adapter()
	if a == nil || in.Class == Valid || v.outcome != Accepts || len(r.Stdout) >= maxCompared {
		return nil
	}
	return &reading{t, a, in, a.read(string(r.Stdout))}
}

// maxCompared bounds the output that is compared, in bytes: the middle of a longer one is lost.
const maxCompared = 1 << 20

// dispute is a disagreement of a target with another one.
type dispute struct {
	Bucket
	message string
}

// disputes returns the disagreements of targets on an input: of the first one with each other one that prints
// something else than those before.
func disputes(all []*reading) (found []dispute) {
	var different []*reading
	for _, b := range all {
		same := func(a *reading) bool { return !bytes.Equal(a.in.Data, b.in.Data) || a.differs(b) == nil }
		if slices.ContainsFunc(different, same) {
			continue
		}
		if different = append(different, b); len(different) > 1 {
			if d, ok := disputed(different[0], b); ok {
				found = append(found, d)
			}
		}
	}
	return found
}

func (r *reading) differs(s *reading) *dump.Difference {
	return dump.Between(r.funcs, s.funcs, r.adapter.columns, s.adapter.columns)
}

// disputed holds two readings of an input against each other and against the section. The bucket is
// that of the target that is wrong.
func disputed(a, b *reading) (dispute, bool) {
	d := a.differs(b)
	o := object(a.in.Data)
	if d == nil || o == nil || len(o.SFrames) != 1 || o.SFrames[0].Section == nil {
		return dispute{}, false
	}
	f := o.SFrames[0]
	form := form{f.Section.Version(), f.Section.ABI().ID}
	if !a.target.probed.reads[form] || !b.target.probed.reads[form] {
		return dispute{}, false
	}
	text := fmt.Sprintf("%s prints %s, %s prints %s", a.target.Name, d.Got, b.target.Name, d.Want)
	if d.FDE >= 0 {
		text = fmt.Sprintf("function %d, %s: %s", d.FDE, d.Field, text)
	} else {
		text = d.Field + ": " + text
	}
	if d.FRE >= 0 {
		text = strings.Replace(text, ",", fmt.Sprintf(" row %d,", d.FRE), 1)
	}
	rightA, rightB := a.right(o, f.Section, d), b.right(o, f.Section, d)
	wrong, other := a, b
	if rightA && !rightB {
		wrong, other = b, a
	}
	known := ""
	if rightA != rightB {
		known = wrong.target.expectation(o, f).misreadDemand()
	}
	if known == "" && !witnessed(f, d.FDE) { // the wrong program's profile is a witness as well
		rightA, rightB, wrong, other = false, false, a, b
	}
	found := dispute{Bucket: Bucket{wrong.target.Name, Disagree, cmp.Or(known, d.Field), other.target.Name}, message: text}
	if known != "" {
		return found, true
	}
	if c, ok := faultAt(o, d.FDE, f.Section.Version()); ok {
		found.Key += ", where the section is broken"
		found.message += fmt.Sprintf("; the section does not meet %s there (%s), so that neither is obliged", c.ID, c.Rule)
		if rightA != rightB {
			found.message += fmt.Sprintf(", but its bytes say what %s prints", other.target.Name)
		}
		return found, true
	}
	if rightA == rightB {
		found.message += "; neither is what the section states"
	} else {
		found.message += fmt.Sprintf("; %s is right: the section states it (%s)", other.target.Name, clauseOfField(d.Field, f.Section.Version()))
	}
	return found, true
}

// witnessed reports whether the plain decoder, which shares no code with the reader, reads a function of a
// section as the reader does, or does not read the section. -1 stands for the number of functions.
func witnessed(f *reader.SFrame, fde int) bool {
	s, err := plain.Decode(f.Data, f.Section.Addr())
	switch {
	case err != nil:
		return true // it refuses the section for a fault that may be anywhere
	case len(s.Functions) != f.Section.NumFDEs():
		return false
	case fde < 0:
		return true
	case fde >= len(s.Functions):
		return false
	}
	want, got := f.Section.FDE(fde), s.Functions[fde]
	if got.Start != fmt.Sprintf("0x%x", want.Start()) || got.Size != want.Size() || len(got.Rows) != want.NumFREs() {
		return false
	}
	for r := range want.FREs() {
		row := got.Rows[r.Index()]
		texts := []any{}
		for _, v := range []plain.Value{row.CFA, row.RA, row.FP} {
			text, _ := v.MarshalText() // it has no errors
			texts = append(texts, text)
		}
		if row.Start != r.Start() || fmt.Sprintf(" cfa %s ra %s fp %s", texts...) != Own.Rule(r) {
			return false
		}
	}
	return true
}

// faultAt returns the clause that a section does not meet in its header or at a function, -1 for none.
func faultAt(o *reader.Object, fde int, version model.Version) (Clause, bool) {
	for _, x := range linter.Run(o).Findings {
		if onSection(x.Rule.ID) && (x.FDE < 0 || x.FDE == fde) {
			if c, ok := clauseOf(x.Rule.ID, version); ok {
				return c, true
			}
		}
	}
	return Clause{}, false
}

// right reports whether the target prints what the section states at the place of a difference.
func (r *reading) right(o *reader.Object, s *model.Section, d *dump.Difference) bool {
	if d.FDE < 0 {
		return len(r.funcs) == s.NumFDEs()
	}
	if d.FDE >= s.NumFDEs() {
		return false
	}
	f := r.funcs[d.FDE]
	if d.FRE < 0 {
		wrong := dump.CompareFunc(o, s, d.FDE, f, r.adapter.rule)
		return wrong == nil || wrong.Field != d.Field
	}
	fde := dump.WithRows(s, d.FDE)
	if d.FRE >= fde.NumFREs() {
		return false
	}
	wrong := dump.CompareRow(o, d.FDE, fde.FRE(d.FRE), f, r.adapter.rule)
	return wrong == nil || wrong.Field != d.Field
}

// fieldClauses are what the manual says of the fields that tools print, in versions 1 and 2 and in
// version 3.
var fieldClauses = map[string][2]string{
	"functions": {"C-ALL-HDR-13", "C-ALL-HDR-13"},
	"size":      {"C-V12-FDE-09", "C-V3-IDX-07"},
	"pc":        {"C-V12-FDE-07", "C-V3-IDX-06"},
	"rows":      {"C-V12-FDE-11", "C-V3-ATT-04"},
	"start":     {"C-ALL-FRE-10", "C-ALL-FRE-10"},
	"rule":      {"C-V12-FRE-05", "C-V3-FTY-02"},
}

// clauseOfField returns the clause on a field, with its text.
func clauseOfField(field string, version model.Version) string {
	id := fieldClauses[field][0]
	if version.Info().AttrSize > 0 {
		id = fieldClauses[field][1]
	}
	for _, c := range clauses.List() {
		if c.ID == id {
			return id + ": " + c.Text
		}
	}
	return id
}

// tryPair runs two targets on an input and returns their disagreement.
func (s scratch) tryPair(ctx context.Context, a, b *Target, in *Input) (dispute, bool, error) {
	var both [2]*reading
	for i, t := range []*Target{a, b} {
		r, v, _, err := s.try(ctx, t, in)
		if err != nil {
			return dispute{}, false, err
		}
		if both[i] = t.reading(in, r, v); both[i] == nil {
			return dispute{}, false, nil
		}
	}
	d, ok := disputed(both[0], both[1])
	return d, ok, nil
}
