package fields

import (
	"fmt"
	"strings"

	"github.com/sframe-lint/sframe-lint/model"
)

// inSection returns the node of the section that a finding begins in.
func inSection(f *Region) (string, []model.Field) {
	s, at := f.Section.Section, f.Span
	if s == nil || at.Off < s.HeaderSpan().End() {
		return "the header", Header(s)
	}
	if fde, ok := fdeAt(s, at.Off); ok {
		return fmt.Sprintf("FDE %d", fde.Index()), FDE(&fde, fde.Span())
	}
	if f.FDE >= 0 && f.FDE < s.NumFDEs() {
		fde := s.FDE(f.FDE)
		if fde.AttrSpan().Contains(at.Off) {
			return fmt.Sprintf("the attribute of FDE %d", f.FDE), FDE(&fde, fde.AttrSpan())
		}
		if f.FRE >= 0 && f.FRE < fde.NumFREs() {
			if r := fde.FRE(f.FRE); r.Span().Contains(at.Off) {
				return fmt.Sprintf("FRE %d of FDE %d", f.FRE, f.FDE), FRE(&r)
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

// Header returns the fields of the header, without values if s is nil.
func Header(s *model.Section) (all []model.Field) {
	if s == nil {
		for f := range model.Version(0).Info().HeaderFields() {
			all = append(all, model.Field{Span: f.Span(), Name: f.String()})
		}
		return all
	}
	for f := range s.Version().Info().HeaderFields() {
		all = append(all, model.Field{Span: f.Span(), Name: f.String(), Value: headerValue(s, f)})
	}
	return all
}

// headerValue returns the meaning of a field of the header.
func headerValue(s *model.Section, f model.HeaderField) string {
	h := s.Header()
	switch n := h.Value(f); f {
	case model.HdrMagic:
		return "0xdee2, " + s.OrderName()
	case model.HdrVersion:
		if !h.Version.Known() {
			return fmt.Sprintf("%d, unknown", n)
		}
		return fmt.Sprintf("SFRAME_VERSION_%d", n)
	case model.HdrFlags:
		return flags(h)
	case model.HdrABI:
		if !s.ABI().Known() {
			return fmt.Sprintf("%d, unknown", n)
		}
		return fmt.Sprintf("%s, %s", s.ABI().Spec, s.ABI().Name)
	case model.HdrFixedFP, model.HdrFixedRA:
		if n == 0 {
			return "0, not fixed"
		}
		return fmt.Sprintf("%s at CFA%+d", [...]string{model.HdrFixedFP: "FP", model.HdrFixedRA: "RA"}[f], int64(n))
	case model.HdrAuxLen, model.HdrFRELen:
		return fmt.Sprintf("%d bytes", n)
	case model.HdrFDEOff, model.HdrFREOff:
		return fmt.Sprintf("0x%x after the header", n)
	default:
		return fmt.Sprint(n)
	}
}

// flags names the flags, the undefined ones by their bits.
func flags(h model.Header) string {
	if !h.Version.Known() {
		return fmt.Sprintf("0x%02x", uint8(h.Flags))
	}
	names := (h.Flags & model.DefinedFlags(h.Version)).Names()
	if bits := Undefined(h); bits != 0 {
		names = append(names, fmt.Sprintf("undefined 0x%02x", uint8(bits)))
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

// Undefined returns the bits of the flags that must be zero in a known version.
func Undefined(h model.Header) model.Flags {
	if !h.Version.Known() {
		return 0
	}
	return h.Flags &^ model.DefinedFlags(h.Version)
}

// FDE returns the fields of an FDE that lie in a span.
func FDE(f *model.FDE, in model.Span) (all []model.Field) {
	values := [...]string{
		model.FDEStart: fmt.Sprint(f.RawStart()), model.FDEFuncSize: fmt.Sprint(f.Size()),
		model.FDEStartFREOff: fmt.Sprint(f.StartFREOff()), model.FDENumFREs: fmt.Sprint(f.ClaimedFREs()),
		model.FDEInfo: fmt.Sprintf("0x%02x", f.Info()), model.FDEInfo2: fmt.Sprintf("0x%02x", f.Info2()),
		model.FDERepSize: fmt.Sprint(f.RepSize()), model.FDEPadding: fmt.Sprintf("0x%04x", f.Padding()),
	}
	for k, at := range f.Section().Version().Info().FDEFields() {
		if sp := f.FieldSpan(k); sp.Off >= in.Off && sp.End() <= in.End() {
			all = append(all, model.Field{Span: sp, Name: at.Name, Value: values[k]})
		}
	}
	return all
}

// FRE returns the fields of an FRE.
func FRE(r *model.FRE) []model.Field {
	all := []model.Field{
		{Span: r.StartSpan(), Name: "sfre_start_address", Value: fmt.Sprint(r.Start())},
		{Span: r.InfoSpan(), Name: "info", Value: fmt.Sprintf("0x%02x", r.Info())},
	}
	for k := range r.NumWords() {
		value := fmt.Sprint(r.Word(k))
		if r.FDEType() == model.SFRAME_FDE_TYPE_FLEX {
			value += fmt.Sprintf(" (0x%x)", r.Control(k))
		}
		all = append(all, model.Field{Span: r.WordSpan(k), Name: fmt.Sprintf("word %d", k+1), Value: value})
	}
	return all
}
