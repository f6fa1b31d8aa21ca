package annotate

import (
	"fmt"

	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

// inSection returns the node of the section that a finding begins in.
func inSection(sf *reader.SFrame, f *rules.Finding) (string, []Field) {
	s, at := sf.Section, f.Span
	if s == nil || at.Off < s.HeaderSpan().End() {
		return "the header", headerFields(sf)
	}
	if fde, ok := fdeAt(s, at.Off); ok {
		return fmt.Sprintf("FDE %d", fde.Index()), fdeFields(fde, fde.Span())
	}
	if f.FDE >= 0 && f.FDE < s.NumFDEs() {
		fde := s.FDE(f.FDE)
		if fde.AttrSpan().Contains(at.Off) {
			return fmt.Sprintf("the attribute of FDE %d", f.FDE), fdeFields(fde, fde.AttrSpan())
		}
		if f.FRE >= 0 && f.FRE < fde.NumFREs() {
			if r := fde.FRE(f.FRE); r.Span().Contains(at.Off) {
				return fmt.Sprintf("FRE %d of FDE %d", f.FRE, f.FDE), rowFields(r)
			}
		}
	}
	switch {
	case s.AuxSpan().Contains(at.Off):
		return "the auxiliary header", plain(at)
	case s.FRESubsection().Contains(at.Off):
		return "the FRE sub-section", plain(at)
	}
	return "bytes that no header, FDE or FRE claims", plain(at)
}

// fdeAt returns the FDE with an entry at an offset.
func fdeAt(s *model.Section, off int64) (f model.FDE, ok bool) {
	size, all := int64(model.FDESize(s.Version())), s.FDESubsection()
	if size == 0 || !all.Contains(off) || (off-all.Off)/size >= int64(s.NumFDEs()) {
		return f, false
	}
	f = s.FDE(int((off - all.Off) / size))
	return f, f.Span().Contains(off)
}

func headerFields(sf *reader.SFrame) []Field {
	var all []Field
	version := model.Version(0)
	if sf.Section != nil {
		version = sf.Section.Version()
	}
	for f := range version.Info().HeaderFields() {
		x := Field{Span: f.Span(), Name: f.String()}
		if sf.Section != nil {
			x.Value = headerValue(sf.Section, f)
		}
		all = append(all, x)
	}
	return all
}

func headerValue(s *model.Section, f model.HeaderField) string {
	h := s.Header()
	switch f {
	case model.HdrMagic, model.HdrFlags:
		return fmt.Sprintf("0x%x", h.Value(f))
	}
	return fmt.Sprint(int64(h.Value(f)))
}

// fdeFields returns the fields of an FDE that lie in a span.
func fdeFields(f model.FDE, in model.Span) []Field {
	values := []string{
		model.FDEStart: fmt.Sprint(f.RawStart()), model.FDEFuncSize: fmt.Sprint(f.Size()),
		model.FDEStartFREOff: fmt.Sprint(f.StartFREOff()), model.FDENumFREs: fmt.Sprint(f.ClaimedFREs()),
		model.FDEInfo: fmt.Sprintf("0x%02x", f.Info()), model.FDEInfo2: fmt.Sprintf("0x%02x", f.Info2()),
		model.FDERepSize: fmt.Sprint(f.RepSize()), model.FDEPadding: fmt.Sprintf("0x%04x", f.Padding()),
	}
	var all []Field
	for k, v := range values {
		k := model.FDEField(k)
		if sp := f.FieldSpan(k); sp.Len > 0 && sp.Off >= in.Off && sp.End() <= in.End() {
			all = append(all, Field{Span: sp, Name: model.FieldName(f.Section().Version(), k), Value: v})
		}
	}
	return all
}

func rowFields(r model.FRE) []Field {
	all := []Field{
		{Span: r.StartSpan(), Name: "sfre_start_address", Value: fmt.Sprint(r.Start())},
		{Span: r.InfoSpan(), Name: "info", Value: fmt.Sprintf("0x%02x", r.Info())},
	}
	flexible := r.FDEType() == model.SFRAME_FDE_TYPE_FLEX
	for k := range r.NumWords() {
		value := fmt.Sprint(r.Word(k))
		if flexible {
			value += fmt.Sprintf(" (0x%x)", r.Control(k))
		}
		all = append(all, Field{Span: r.WordSpan(k), Name: fmt.Sprintf("word %d", k+1), Value: value})
	}
	return all
}
