package lint

import (
	"reflect"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// addFrames adds what the FREs say to the findings on them, of up to [MaxExcerpts] FREs,
// the most severe findings first. It does so while the object is visited.
func addFrames(o *reader.Object, findings []rules.Finding) {
	n := 0
	for s := rules.Error; s > rules.Off && n < MaxExcerpts; s-- {
		var at walker
		for i := range findings {
			f := &findings[i]
			if f.Severity != s || f.Frame != nil || !f.InSection || f.FRE < 0 || n == MaxExcerpts {
				continue
			}
			if r, ok := at.row(sectionModel(o, f), f); ok {
				f.Frame = &rules.Frame{ABI: r.FDE().Section().ABI().ID, PC: f.PC, Sides: []rules.Side{rules.FrameOf(r)}}
				n++
			}
		}
	}
}

// frameCost is about the bytes of a frame in memory.
var frameCost = int64(reflect.TypeFor[rules.Frame]().Size() + reflect.TypeFor[rules.Side]().Size())

// sectionModel returns the section that a finding is in, nil for none.
func sectionModel(o *reader.Object, f *rules.Finding) *model.Section {
	if i := sectionIndex(o, f); i >= 0 {
		return o.SFrames[i].Section
	}
	return nil
}

// walker finds FREs. Findings have the order of their bytes, so that the next FRE is
// mostly after the last one.
type walker struct {
	last model.FRE
	in   *model.Section
}

func (w *walker) row(s *model.Section, f *rules.Finding) (model.FRE, bool) {
	if s == nil || !s.ABI().Known() || f.FDE < 0 || f.FDE >= s.NumFDEs() {
		return model.FRE{}, false
	}
	fde := s.FDE(f.FDE)
	if f.FRE >= fde.NumFREs() {
		return model.FRE{}, false
	}
	r := w.last
	if w.in != s || r.FDEIndex() != f.FDE || r.Index() > f.FRE {
		r = fde.FRE(0)
	}
	for ok := true; ok && r.Index() < f.FRE; {
		r, ok = r.Next()
	}
	w.last, w.in = r, s
	return r, true
}
