package generator

import (
	"fmt"
	"slices"

	"github.com/sframe-lint/sframe-lint/model"
)

// FromModel returns the plan of a decoded section, with its layout. It returns an error if the version is unknown,
// FDEs or FREs are missing, or a sub-section ends beyond the section.
func FromModel(s *model.Section) (*Plan, error) {
	if err := checkWhole(s); err != nil {
		return nil, err
	}
	h := s.Header()
	p := &Plan{
		Version: h.Version, ABI: h.ABI, BigEndian: s.BigEndian(), Flags: h.Flags, Addr: s.Addr(),
		FixedFP: h.FixedFPOffset, FixedRA: h.FixedRAOffset, Aux: s.Aux(),
		Funcs: make([]Func, s.NumFDEs()),
	}
	l := &Layout{Size: s.Size(), FDEOff: h.FDEOff, FREOff: h.FREOff, FRELen: h.FRELen, NumFREs: h.NumFREs,
		Funcs: make([]FuncLayout, s.NumFDEs())}
	for i := range p.Funcs {
		f := s.FDE(i)
		if err := wholeFDE(f); err != nil {
			return nil, fmt.Errorf("FDE %d: %w", i, err)
		}
		p.takeFDE(f, &p.Funcs[i], &l.Funcs[i])
	}
	for _, g := range s.Gaps() {
		if g.NonZero {
			l.Fill = append(l.Fill, Fill{g.Off, s.Bytes(g.Span)})
		}
	}
	p.Layout = l
	return p, nil
}

// checkWhole returns what the section lacks.
func checkWhole(s *model.Section) error {
	h := s.Header()
	switch {
	case !h.Version.Known():
		return fmt.Errorf("version %d has no known layout", h.Version)
	case s.HeaderEnd() > s.Size():
		return fmt.Errorf("the auxiliary header ends at 0x%x, beyond the section", s.HeaderEnd())
	case s.FDESubsection().End() > s.Size():
		return fmt.Errorf("the FDEs end at 0x%x, beyond the section", s.FDESubsection().End())
	case s.FRESubsection().End() > s.Size():
		return fmt.Errorf("the FREs end at 0x%x, beyond the section", s.FRESubsection().End())
	}
	return nil
}

func wholeFDE(f model.FDE) error {
	switch {
	case !f.HasAttr():
		return fmt.Errorf("no attribute at 0x%x of the FREs", f.StartFREOff())
	case int64(f.ClaimedFREs()) != int64(f.NumFREs()):
		return fmt.Errorf("%d rows of %d", f.NumFREs(), f.ClaimedFREs())
	}
	return nil
}

func (p *Plan) takeFDE(f model.FDE, fn *Func, l *FuncLayout) {
	*fn = Func{
		Start: f.Start(), Place: f.Place(), Unknown: !f.Resolved(), Size: f.Size(),
		PCType: f.PCType(), FDEType: f.Type(), PauthKey: f.PauthKey(), Signal: f.Signal(), RepSize: f.RepSize(),
		Rows: make([]Row, 0, f.NumFREs()),
	}
	*l = FuncLayout{
		StartFREOff: f.StartFREOff(), RawStart: f.RawStart(), FREType: f.FREType(),
		Reserved: f.Info() & p.Version.Info().Reserved, Reserved2: f.Info2() & model.Info2Reserved, Padding: f.Padding(),
		Words: make([]model.WordSize, 0, f.NumFREs()),
	}
	// A start that differs from the field comes from a relocation.
	if fn.Unknown || fn.Place != 0 || p.rawStart(fn, f.FieldSpan(model.FDEStart).Off) != f.RawStart() {
		p.Relocatable = true
	}
	for r := range f.FREs() {
		fn.Rows = append(fn.Rows, takeRow(r))
		l.Words = append(l.Words, r.WordSize())
	}
}

func takeRow(r model.FRE) Row {
	l := r.DataWords()
	return Row{Start: r.Start(), Mangled: r.MangledRA(), Base: l.Base, Rules: r.Row(), Words: slices.Clone(l.Word[:l.N])}
}

// controls visits the words of a flexible row that are control words.
func controls(words []int64, visit func(k int)) {
	k := 0
	for range 3 {
		if k >= len(words) {
			return
		}
		if words[k] == 0 {
			k++ // a padding word has no offset
			continue
		}
		visit(k)
		k += 2
	}
}
